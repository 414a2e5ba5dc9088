#!/bin/sh
# Pack Genizah.app into a disk image, signed and notarised where the environment names an identity.
#
# usage: make_dmg.sh VERSION, on macOS, after the program was frozen. GENIZAH_SIGNING_IDENTITY names
# a Developer ID in the keychain; GENIZAH_NOTARY_PROFILE a profile stored by `notarytool
# store-credentials`. Without them the image works on this machine and is refused elsewhere.

set -eu
version=$1
cd "$(dirname "$0")/../.."
output=build/installer
app=$output/dist/Genizah.app
image=$output/genizah-$version.dmg
identity=${GENIZAH_SIGNING_IDENTITY:-}
profile=${GENIZAH_NOTARY_PROFILE:-}

if [ -n "$identity" ]; then
    codesign --force --deep --options runtime --timestamp --sign "$identity" \
        --entitlements packaging/macos/entitlements.plist "$app"
fi
codesign --verify --deep --strict "$app"

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
cp -R "$app" LICENSE "$staging/"
ln -s /Applications "$staging/Applications"
rm -f "$image"
hdiutil create -volname "Genizah $version" -srcfolder "$staging" -fs HFS+ -format UDZO -quiet \
    "$image"

if [ -n "$identity" ] && [ -n "$profile" ]; then
    codesign --timestamp --sign "$identity" "$image"
    xcrun notarytool submit "$image" --keychain-profile "$profile" --wait
    xcrun stapler staple "$image"
fi
