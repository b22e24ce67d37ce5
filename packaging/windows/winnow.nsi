; The Windows installer, for the current user only and without administrator rights.
; makensis -DVERSION=1.2.3 -DSOURCE=folder-with-winnow.exe -DICON=winnow.ico -DTARGET=setup.exe

Unicode true
SetCompressor /SOLID lzma
RequestExecutionLevel user

!include "MUI2.nsh"
!include "FileFunc.nsh"

!define TITLE "Winnow"
!define LINKS "Software\Classes\winnow"
!define REGISTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Winnow"
; Folder of the user's library: core/files/paths.py.
!define LIBRARY "$LOCALAPPDATA\winnow"

Name "${TITLE} ${VERSION}"
OutFile "${TARGET}"
InstallDir "$LOCALAPPDATA\Programs\Winnow"
InstallDirRegKey HKCU "${REGISTRY}" "InstallLocation"
BrandingText "${TITLE} ${VERSION}"
ShowInstDetails nevershow
ShowUninstDetails nevershow

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\winnow-window.exe"

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString KeepLibrary ${LANG_ENGLISH} "Keep your library with its settings and index? Your documents are not affected."
LangString KeepLibrary ${LANG_GERMAN} "Bibliothek mit Einstellungen und Index behalten? Ihre Dokumente bleiben unverändert."
LangString KeepLibrary ${LANG_SIMPCHINESE} "是否保留资料库（包括设置和索引）？您的文档不受影响。"
LangString IsRunning ${LANG_ENGLISH} "Winnow is running. Quit it and try again."
LangString IsRunning ${LANG_GERMAN} "Winnow läuft noch. Beenden Sie das Programm und versuchen Sie es erneut."
LangString IsRunning ${LANG_SIMPCHINESE} "Winnow 正在运行。请关闭后重试。"

; Windows does not allow writing to a running program.
!macro STOP_IF_RUNNING
  ${If} ${FileExists} "$INSTDIR\winnow.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\winnow.exe" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(IsRunning)" /SD IDOK
      Abort
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

Section
  !insertmacro STOP_IF_RUNNING
  ; Remove files of older versions.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Winnow.lnk" "$INSTDIR\winnow-window.exe"
  WriteRegStr HKCU "${REGISTRY}" "DisplayName" "${TITLE}"
  WriteRegStr HKCU "${REGISTRY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${REGISTRY}" "DisplayIcon" "$INSTDIR\winnow-window.exe"
  WriteRegStr HKCU "${REGISTRY}" "Publisher" "The Winnow authors"
  WriteRegStr HKCU "${REGISTRY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${REGISTRY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${REGISTRY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${REGISTRY}" "NoModify" 1
  WriteRegDWORD HKCU "${REGISTRY}" "NoRepair" 1
  ; Links such as winnow:search?q=tax. Not tested on Windows yet.
  WriteRegStr HKCU "${LINKS}" "" "URL:${TITLE}"
  WriteRegStr HKCU "${LINKS}" "URL Protocol" ""
  WriteRegStr HKCU "${LINKS}\shell\open\command" "" '"$INSTDIR\winnow-window.exe" "%1"'
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${REGISTRY}" "EstimatedSize" $0
SectionEnd

Section "un.Winnow"
  !insertmacro STOP_IF_RUNNING
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\winnow.exe"
  Delete "$INSTDIR\winnow-window.exe"
  Delete "$INSTDIR\uninstall.exe"
  ; Without /r: the folder may contain a portable library.
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Winnow.lnk"
  DeleteRegKey HKCU "${REGISTRY}"
  DeleteRegKey HKCU "${LINKS}"
  ; A silent uninstall keeps the library.
  ${If} ${FileExists} "${LIBRARY}\*.*"
    MessageBox MB_YESNO|MB_ICONQUESTION "$(KeepLibrary)" /SD IDYES IDYES keep
    RMDir /r "${LIBRARY}"
    keep:
  ${EndIf}
SectionEnd
