; The Windows installer: for one person, without administrator rights, into AppData\Local\Programs.
; makensis /DVERSION=0.1.0 packaging\windows\genizah.nsi, called by packaging/installer/build.py.

Unicode true
SetCompressor /SOLID lzma
RequestExecutionLevel user

!include "MUI2.nsh"

!ifndef VERSION
  !error "Give the version: /DVERSION=0.1.0"
!endif
; Paths from the place of this file, wherever the compiler is called from. FOLDER may be another one.
!ifndef FOLDER
  !define FOLDER "..\..\build\installer\dist\genizah"
!endif
!define OUTPUT "..\..\build\installer"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Genizah"
!define PROGRAM "Software\Classes\Applications\genizah.exe"

Name "Genizah"
OutFile "${OUTPUT}\genizah-${VERSION}-setup.exe"
InstallDir "$LOCALAPPDATA\Programs\Genizah"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Genizah"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Genizah Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT License"

!define MUI_ICON "${OUTPUT}\icons\genizah.ico"
!define MUI_UNICON "${OUTPUT}\icons\genizah.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\genizah.exe"
!define MUI_FINISHPAGE_RUN_PARAMETERS "demo"
!define MUI_FINISHPAGE_RUN_TEXT "Open the demo store"

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "..\..\LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Section "Genizah"
  ; An older version's files go first, or they would be found beside the new ones.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}\*"
  File "..\..\LICENSE"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  CreateDirectory "$SMPROGRAMS\Genizah"
  CreateShortCut "$SMPROGRAMS\Genizah\Genizah.lnk" "$INSTDIR\genizah.exe"
  CreateShortCut "$SMPROGRAMS\Genizah\Genizah Demo.lnk" "$INSTDIR\genizah.exe" "demo"

  ; Offered under "Open with" for these files; what opens them by default stays as it is.
  WriteRegStr HKCU "${PROGRAM}" "FriendlyAppName" "Genizah"
  WriteRegStr HKCU "${PROGRAM}\shell\open\command" "" '"$INSTDIR\genizah.exe" "%1"'
  WriteRegStr HKCU "${PROGRAM}\SupportedTypes" ".db" ""
  WriteRegStr HKCU "${PROGRAM}\SupportedTypes" ".sqlite" ""
  WriteRegStr HKCU "${PROGRAM}\SupportedTypes" ".sqlite3" ""
  WriteRegStr HKCU "Software\Classes\.db\OpenWithList\genizah.exe" "" ""
  WriteRegStr HKCU "Software\Classes\.sqlite\OpenWithList\genizah.exe" "" ""
  WriteRegStr HKCU "Software\Classes\.sqlite3\OpenWithList\genizah.exe" "" ""

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Genizah"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\genizah.exe"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; The person's own data (%LOCALAPPDATA%\genizah) and every store stay.
Section "Uninstall"
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\genizah.exe"
  Delete "$INSTDIR\genizah-cli.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"

  Delete "$SMPROGRAMS\Genizah\Genizah.lnk"
  Delete "$SMPROGRAMS\Genizah\Genizah Demo.lnk"
  RMDir "$SMPROGRAMS\Genizah"

  DeleteRegKey HKCU "${PROGRAM}"
  DeleteRegKey HKCU "Software\Classes\.db\OpenWithList\genizah.exe"
  DeleteRegKey HKCU "Software\Classes\.sqlite\OpenWithList\genizah.exe"
  DeleteRegKey HKCU "Software\Classes\.sqlite3\OpenWithList\genizah.exe"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
