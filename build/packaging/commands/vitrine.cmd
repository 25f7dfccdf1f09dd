@echo off
rem The commands of Vitrine, by the Node that is packed beside them: they need no window.
"%~dp0..\node\node.exe" "%~dp0server\cli\main.js" %*
