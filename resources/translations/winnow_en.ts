<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>FoldersModel</name>
    <message numerus="yes">
        <source>%Ln unreadable</source>
        <translation>
            <numerusform>%Ln unreadable</numerusform>
            <numerusform>%Ln unreadable</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>texts</name>
    <message numerus="yes">
        <source>%Ln close match(es)</source>
        <translation>
            <numerusform>%Ln close match</numerusform>
            <numerusform>%Ln close matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s)</source>
        <translation>
            <numerusform>%Ln document</numerusform>
            <numerusform>%Ln documents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln match(es)</source>
        <translation>
            <numerusform>%Ln match</numerusform>
            <numerusform>%Ln matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more copy(s) or version(s)</source>
        <translation>
            <numerusform>%Ln more copy or version</numerusform>
            <numerusform>%Ln more copies or versions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more copy(s), version(s) or mail(s) of this conversation</source>
        <translation>
            <numerusform>%Ln more copy, version or mail of this conversation</numerusform>
            <numerusform>%Ln more copies, versions or mails of this conversation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more passage(s)</source>
        <translation>
            <numerusform>%Ln more passage</numerusform>
            <numerusform>%Ln more passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more query(s)</source>
        <translation>
            <numerusform>%Ln more query</numerusform>
            <numerusform>%Ln more queries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s)</source>
        <translation>
            <numerusform>%Ln passage</numerusform>
            <numerusform>%Ln passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln copy(s) and version(s)</source>
        <translation>
            <numerusform>Hide %Ln copy or version</numerusform>
            <numerusform>Hide %Ln copies and versions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln copy(s), version(s) and mail(s) of this conversation</source>
        <translation>
            <numerusform>Hide %Ln copy, version or mail of this conversation</numerusform>
            <numerusform>Hide %Ln copies, versions and mails of this conversation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln further mail(s) of this conversation</source>
        <translation>
            <numerusform>Hide %Ln further mail of this conversation</numerusform>
            <numerusform>Hide %Ln further mails of this conversation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln passage(s)</source>
        <translation>
            <numerusform>Hide %Ln passage</numerusform>
            <numerusform>Hide %Ln passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln further mail(s) of this conversation</source>
        <translation>
            <numerusform>and %Ln further mail of this conversation</numerusform>
            <numerusform>and %Ln further mails of this conversation</numerusform>
        </translation>
    </message>
</context>
</TS>
