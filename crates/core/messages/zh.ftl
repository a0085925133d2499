# askwell 自己的界面用语，终端与网页共用。

# 标题栏
asks = { $name } 提问
askwell-asks = askwell 提问
position = { $at } / { $total }
time-left = 剩余 { $time }
time-up-soon = 仅剩 { $time }！

# 问题
placeholder-custom = 写下你自己的回答…
placeholder-text = 写下你的回答…
not-sent = 不发送
recommended = 推荐
context-collapsed = 背景：{ $lines } 行 · 按 o 打开
preview-of = 预览：{ $label }
preview-lines = 第 { $from }–{ $to } 行，共 { $total } 行 · J/K
unread = 内容未显示：o
lines-shown-short = { $at }/{ $total } PgDn
preview-lines-short = { $at }/{ $total } J/K
lines-shown = 第 { $from }–{ $to } 行，共 { $total } 行 · PgDn/PgUp
filter-none = 没有选项匹配“{ $filter }”。
skipped-banner = 已跳过：输入的内容保留但不发送。按 s 取消跳过。

# 状态行
selected = 已选 { $count } 项
your-text = 你的文字
with-your-text = 已选 { $count } 项 + 你的文字
nothing-yet = 尚未填写
filter-status = 筛选：{ $filter } · { $shown } / { $total }
draft-saved = 草稿已保存
draft-unsaved = 尚未保存：{ $reason }
draft-no-host = 没有主机
draft-host-silent = 主机没有回应
sending = 正在发送…
wait-keys = 按键稍后生效…
unfinished = 尚未填写：请选择、输入，或按 s 跳过。
unfinished-field = 尚未输入。请输入回答，或按 Esc 再按 s 跳过。
unfinished-batch = 尚未完成：{ $names }
hidden-by-filter = 选项 { $number } 被筛选隐藏。
only-multi = 此题只能选一项。
no-custom = 此题只接受给出的选项。
undo-nothing = 没有可撤销的操作。
keys-dropped = 提前按下的键未生效。
paste-nowhere = 没有粘贴：这里没有输入框。
filter-nothing = 没有匹配的选项：请修改筛选，或按 Esc 清除。
paste-cut = 粘贴的文字被截断：最多 { $limit } 字节。
editor-unset = 没有设置编辑器：请先设置 EDITOR（或 VISUAL）再开始。
editor-start = 无法打开编辑器：{ $reason }。
editor-failed = 编辑器出错（{ $reason }）；你的文字未变。
editor-unreadable = 无法读取编辑器的文件（{ $reason }）；你的文字未变。
editor-not-text = 编辑器写入的不是 UTF-8；你的文字未变。
editor-too-long = 超过 { $limit } 字节；你的文字未变。
editor-kept = { $what }它的文件仍在：{ $path }
field-full = 已满：最多 { $limit } 字节。
comment-blank = 请写下说明，或按 Esc 返回。
restored = 草稿已恢复。
started-empty = 已从空白开始。先前的草稿仍保留。
elsewhere = 已在别处修改。你在这里的文字保留，并会发送；Ctrl-T 换成别处的。
answering-too = 也在作答：{ $names }
answering-now = 现在也在作答：{ $names }
somebody-else = 运行主机的人
elsewhere-other = 已在别处修改：{ $name }。你在那里的文字保留；Ctrl-T 换成别处的。
elsewhere-theirs = 别处：{ $text } · Ctrl-T 换成它
elsewhere-own = 你的内容已保留：{ $text } · Ctrl-T 换回
elsewhere-taken = 已换成别处的。你的内容已保留；Ctrl-T 换回。
elsewhere-back = 已换回。另一份已保留；再按 Ctrl-T 可再换。
elsewhere-empty = 空白
elsewhere-nothing = 别处没有为此题输入其他内容。
taken-elsewhere = 已按别处的修改更新。
deadline-soon = 时间快到了。Ctrl-X 延长十分钟。
deadline-none = 此请求没有截止时间。
deadline-elsewhere = 截止时间已在别处推迟。
deadline-kept = 截止时间未能推迟：{ $reason }
plan-no-decline = 这里没有其他选项：请回复，或按 x 取消。

# 提示框
leave-title = 要离开这些问题吗？
leave-draft = 已输入的内容会保留为草稿。
# 对话框结束后写到标准错误
note-editor-kept = 编辑器写下而未能采用的内容在 { $path }
note-draft-kept = 输入的内容保留 { $days } 天；从这里再问同样的问题即可取回
note-not-saved = 输入的内容无法保存：{ $reason }
note-not-saved-copy = 别处都没有存下，请在此复制：
note-chosen = 已选：{ $labels }
note-skipped = 已跳过
note-text-kept = 未发送的文字保留 { $days } 天；从这里再问同样的问题即可取回
note-answered = 已回答 { $id }
note-cancelled = 已取消 { $id }
note-aborted = 已撤回 { $id }
note-expired = 已过期 { $id }
note-answered-elsewhere = { $id } 已在别处回答
note-cancelled-elsewhere = { $id } 已在别处取消
note-aborted-elsewhere = { $id } 已被撤回
note-expired-elsewhere = { $id } 已过期
note-left = 已离开；{ $id } 仍在等待
note-left-draft = 已离开；{ $id } 仍在等待，草稿已保留
note-left-no-host = 已离开；现在没有主机应答，{ $id } 在那里等待
note-person-cancelled = 对方取消了
note-person-commented = 对方取消了，并说明：{ $comment }
note-withdrawn = 已撤回：{ $reason }
note-out-of-time = 已过期：没有人及时回答
note-browser-opened = 已在浏览器中打开；如果没有出现：askwell open --print
note-browser-link = { $why }：请打开此链接
note-browser-ssh = 这是 SSH 连接
note-browser-no-desktop = 此处没有桌面
note-browser-failed = 无法打开浏览器（{ $why }）
note-browser-tunnel = 先在你自己的机器上运行：{ $command }
note-browser-once = 可让一个浏览器登录一次，十分钟内有效
leave-stay = 继续回答
leave-cancel = 取消全部问题
leave-comment = 取消并附说明
comment-title = 为什么取消这些问题？提问者会读到你的说明。
unsent-title = { $count ->
   *[other] 你写下的文字将不会发送：
}
unsent-without = 不带文字发送
unsent-with = 连同我的文字发送
unsent-instead = 用我的文字代替所选项发送
unsent-mixed = 发送我的文字：多选题连同勾选，单选题代替所选项
unsent-back = 返回
skip-rest-title = { $count ->
   *[other] 跳过 { $count } 个未完成的问题？
}
skip-rest-yes = 跳过其余
skip-rest-no = 返回
offered-title = 你在 { $ago } 前开始回答过。恢复当时的内容吗？
offered-title-now = 你刚才开始回答过。恢复当时的内容吗？
offered-restore = 恢复草稿
offered-empty = 从空白开始（草稿保留）
rejected-title = 回答未被接受。内容没有丢失。
back = 返回
resolved-answered = 已在别处回答。{ $kept }
resolved-cancelled = 已在别处取消。{ $kept }
resolved-aborted = 提问者已撤回。{ $kept }
resolved-expired = 已过期：没有人及时回答。{ $kept }
resolved-kept = 你在这里输入的内容保留。
close = 关闭
more-not-shown = 另有 { $count } 项

# 复查
review-title = 发送前复查
review-open = 未回答
summary-more = … 另有 { $count } 题
summary-cancelled = 已取消
summary-commented = 已取消：{ $comment }
summary-aborted = 已撤回（{ $reason }）
summary-left = 已离开，仍在等待
summary-expired = 已过期
review-skipped = 已跳过
review-not-sent = 不发送：{ $text }

# 详情
reader-asker = 提问者（自述）
reader-name = 名称
reader-session = 会话
reader-cwd = 目录
reader-chain = 调用链
reader-question = 问题
reader-detail = 说明
reader-option = 当前选项
reader-context = 背景
reader-position = 第 { $from }–{ $to } 行，共 { $total } 行

# 折叠
collapsed = 已折叠。按 z 展开。

# 底部按键提示
hint-choose-next = Enter 选中并继续
hint-choose-send = Enter 选中并发送
hint-instead-next = Enter 改选此项并继续
hint-instead-send = Enter 改选此项并发送
hint-next = Enter 继续
hint-send = Enter 发送
hint-choose = 空格 选择
hint-tick = 空格 勾选
hint-move = ↑↓ 移动
hint-custom = c 自己写
hint-questions = Tab 换题
hint-skip = s 跳过
hint-unskip = s 取消跳过
hint-all = a/n 全选/全不选
hint-filter = / 筛选
hint-more = o 详情
hint-preview = o 详情与预览
hint-scroll = PgDn 滚动
hint-peek = J/K 预览
hint-review = r 复查
hint-leave = Esc 离开
hint-to-inbox = Esc 收件箱
hint-open = Enter 打开
hint-search = / 搜索
hint-clear = x 收起
hint-part = Tab 已结束
hint-quit = q 离开
hint-load = Enter 显示更多
hint-clear-filter = Esc 清除筛选
hint-help = ? 帮助
hint-external = Ctrl-G 编辑器
hint-newline = Alt-Enter 换行
hint-to-list = ↑ Esc 回到列表
hint-leave-field = Esc 列表
hint-leave-text = 先 Esc 再 s 跳过
hint-switch-text = 空格 文字开/关
hint-filter-done = Enter 保留筛选
hint-filter-clear = Esc 清除
hint-edit = e 修改
hint-skip-rest = s 跳过其余
hint-back = Esc 返回
hint-close = Esc 关闭
hint-pick = ↑↓ Enter 选定
hint-letter = 按字母，或 ↑↓ 与 Enter
hint-cancel-send = Enter 取消并发送说明
hint-ctrl-c = Ctrl-C 取消
hint-ctrl-c-leave = Ctrl-C 离开
hint-unfold = z 展开
hint-theirs = Ctrl-T 换成别处的
hint-own = Ctrl-T 换回自己的
hint-extend = Ctrl-X 延长 10 分钟
hint-approve = Enter 批准并发送
hint-decline = Enter 拒绝并发送
hint-custom-here = 空格 写回复
hint-reply = c 回复
hint-dismiss = x 取消
hint-as-question = v 作为普通问题
hint-as-plan = v 作为方案

# 帮助
help-title = 按键
help-move = 上、下、j、k：移动。Home、End、g、G：首项、末项
help-choose = 空格或 1–9：选择或勾选，停留在本题
help-enter = Enter：继续；单选题会先选中当前选项
help-custom = c，或在最后一项按下：写自己的回答
help-field = 在输入框里可打印的键都是文字。Enter 继续；Alt-Enter、Ctrl-J 或 Shift-Enter 换行
help-field-edit = Ctrl-A/E 行首/行尾，Ctrl-W 删词，Ctrl-U/K 删到行首/行尾，Ctrl-Y 放回，Ctrl-Z 撤销，Alt-Z 重做
help-field-leave = Esc，或在首行按上：回到列表。在自填行按空格可开关保留的文字
help-editor = Ctrl-G：用你自己的编辑器书写（VISUAL、EDITOR）
help-redraw = Ctrl-L：重绘整个画面
help-questions = Tab、Shift-Tab、左、右：换题；草稿保留
help-skip = s：跳过并继续；在已跳过的题上：取消跳过
help-all = a、n：全选、全不选（筛选后的范围内）。u：撤销
help-filter = /：筛选选项；编号不变
help-scroll = PgDn、PgUp：滚动说明。o：查看问题的全部内容
help-peek = J、K：按页滚动当前选项的预览；Shift-下、Shift-上按行滚动
help-mouse = 鼠标（全屏时）：点击可选择或放置光标，滚轮可滚动。按住 Shift 拖动可选取文字
help-review = r：发送前复查所有回答
help-elsewhere = Ctrl-T：换成别处输入的内容；再按换回自己的。发送的是此屏所示的内容
help-extend = Ctrl-X：有截止时间时延长十分钟
help-plan = 方案：a 批准，d 拒绝，c 回复，x 取消（可附说明）；Enter 发送。PgDn、PgUp、Home、End 滚动方案。v：作为普通问题
help-collapse = z：折叠与展开
help-leave = Esc：先离开输入框，再询问是否取消
help-to-inbox = Esc：先离开输入框，再回到收件箱，问题继续等待。x：询问是否取消
help-inbox-move = ↑ ↓ j k：移动。PgUp PgDn：翻页。Home End g G：最前、最后
help-inbox-open = Enter：作答；已结束的会显示结果和你输入过的内容。作答后自动打开下一个
help-inbox-part = Tab：到已结束的部分，再按返回
help-inbox-search = /：按问题、提问者和文件夹搜索。Enter 也会搜索所有已结束的
help-inbox-clear = x：收起不再有人等待的；若有人等待或你有草稿，会先询问。X：收起所有已撤回或过期的
help-inbox-leave = q、Ctrl-C：离开。所有问题继续等待
help-cancel = Ctrl-C：立即取消；草稿保留
help-cancel-leave = Ctrl-C：立即离开；问题仍待回答，草稿保留

# 逐行模式
looks-like = 与选项 { $number } 很像
plain-between = ，
plain-labels-between = ；
plain-colon = ：
plain-asked-by = 提问者：{ $name }
plain-asked-in = 提问者：{ $name }，位于 { $folder }
plain-question = 第 { $at } 题，共 { $total } 题
plain-question-only = 问题
plain-more-lines = 还有 { $count } 行；o 显示全部
plain-context = { $lines ->
   *[other] 背景：{ $lines } 行；o 显示
}
plain-preview = 选项 { $number } 的预览
plain-chosen = 已选
plain-approved = 你批准
plain-declined = 你拒绝
plain-your-text = 你的文字
plain-kept = 保留，不发送
plain-skipped = 已跳过。
plain-nothing = 尚未填写。
plain-comment = 你的说明
plain-sent = 已发送。
plain-cancelled = 已取消。

plain-key-number = 输入编号选择
plain-key-numbers = 输入编号选择，可多个
plain-key-text = t 自己写
plain-verb-approve = 批准
plain-verb-decline = 拒绝
plain-verb-cancel = 取消
plain-verb-reply = 回复
plain-key-reply = 回复 加文字
plain-key-skip = s 跳过
plain-key-unskip = s 取消跳过
plain-key-next = 回车继续
plain-key-send = 回车发送
plain-key-skip-rest = s 跳过其余
plain-key-open = 编号打开该题
plain-key-help = ? 帮助
plain-enter-is = 回车即 { $letter }

plain-write = 写下你的文字，行数不限。只有一个点的行表示结束。
plain-add = 接下来写的会加在后面。只有一个点的行表示结束。
plain-comment-how = 只有一个点的行表示取消全部问题并发送说明；没有说明则返回。
plain-replaced = 已代替你先前的文字；u 可取回。
plain-deleted = 你的文字已删除；u 可取回。
plain-no-text = 这里没有你的文字。
plain-first = 这是第一题。
plain-theirs = 别处的内容（w 换成它）
plain-own = 另外保留的你的内容（w 换成它）
plain-elsewhere = 第 { $at } 题已在别处修改。你在这里的文字保留；w 换成别处的。
plain-taken = 第 { $at } 题已按别处的修改更新。
plain-unknown = 无法理解：“{ $line }”。? 说明可以输入什么。
plain-unknown-text = 无法理解：“{ $line }”。要用文字回答，请输入 t 加文字。? 说明还可以输入什么。
plain-unknown-letter = 无法理解：“{ $line }”。请输入其中一个字母。
plain-unknown-place = 无法理解：“{ $line }”。输入题号可打开该题。? 说明还可以输入什么。
plain-no-option = 没有选项 { $number }：编号从 1 到 { $count }。未作任何更改。
plain-no-option-text = 没有选项 { $number }：编号从 1 到 { $count }。未作任何更改。要以它作为文字回答，请输入 t { $number }。
plain-no-options = 此题没有选项。要以它作为文字回答，请输入 t { $number }。
plain-not-utf8 = 这一行不是 UTF-8 文字，未被采用。
plain-cut = 终端每行最多传递 4095 字节：这一行的末尾已丢失。长文字请分多行写。

plain-help-numbers = 2 或 1, 3 或 2-4：选择这些选项。多选时 -3 取消一项。
plain-help-text = t 加文字：用文字回答；多选题连同勾选，单选题代替所选项。
plain-help-lines = 只输入 t：写多行，或接着写你的文字。只有一个点的行表示结束（要写这样的行，请输入两个点）。
plain-help-editor = e：用你自己的编辑器书写（VISUAL、EDITOR）。
plain-help-plan = 审阅方案：批准、拒绝、回复 加文字、取消（也可输入 approve、decline、reply、cancel）。按回车前什么都不发送。编号同样有效。
plain-help-change = d：删除你的文字。
plain-help-kept = m：把你的文字计入或不计入回答；文字保留。
plain-help-enter = 只按回车：继续；最后一题之后发送。发送前会说明。
plain-help-skip = s：跳过此题，或取消跳过。
plain-help-move = b、f：上一题、下一题。r：复查所有回答。
plain-help-all = a、n：全选、全不选。
plain-help-again = l：再显示此题。o：此题和提问者的全部内容。o 2：选项 2 的全部内容。
plain-help-find = / 加词：只列出含有该词的选项；编号不变。
plain-help-undo = u：撤销此题的上一步修改。
plain-help-theirs = w：换成其他屏幕的内容，或换回自己的。
plain-help-later = p：有截止时间时，推迟十分钟。
plain-help-leave = x：取消全部问题，可附说明；会先询问。
plain-help-quit = Ctrl-D：离开；已输入的内容保留。

# The inbox in a terminal
inbox-arrived = { $name } 的新问题：{ $question }
inbox-ended = { $how }：{ $question }
inbox-ended-before = 未取消，此前已结束：{ $how }
inbox-put-aside = 已取消；会告知提问者。
inbox-cleared-all = 已撤回或过期的都已收起。
inbox-nothing-to-clear = 没有可收起的：没有已撤回或过期的。
inbox-putting-aside = 正在取消…
inbox-not-put-aside = 未能取消；仍在等待，你的说明已保留：{ $reason }
inbox-still-waits = 仍在等待。
inbox-still-waits-draft = 仍在等待，草稿已保留。
inbox-kept-here = 草稿尚未存到主机。已保存在本机，再次打开时会提供。
inbox-unsaved = 输入的内容在主机和本机都无法保存。
inbox-how-to-leave = 按 q 离开收件箱；所有问题继续等待。
inbox-opening = 正在打开…
inbox-loading = 正在读取…
inbox-no-host = 主机没有应答。以下是此前的情况；恢复后会自动继续。
inbox-host-back = 主机已恢复应答。
inbox-many = { $count }+ 个待回答
inbox-away = { $count } 个提问者已离开
inbox-written-elsewhere = 你正在别处作答
inbox-answering = { $names } 正在作答
inbox-new = 新
inbox-fresh = { $count } 个新问题
inbox-others = 另有 { $count } 个待回答
inbox-others-new = 另有 { $count } 个待回答，{ $fresh } 个是新的
inbox-confirm = 确定取消？y 是，其他键否：{ $question }
inbox-empty-what = 程序提问时，问题会自动出现在这里。可以一直开着。
inbox-empty-try = 想看看是什么样子，请在另一个终端中输入：
inbox-nothing-matches = 没有匹配“{ $filter }”的请求。按 Esc 显示全部。
inbox-status-filter = 搜索：{ $filter } · { $count } 个

# The inbox by plain lines
plain-inbox-rest = 还有 { $count } 个；m 继续。
plain-inbox-earlier = 还有更早的；m 继续。
plain-inbox-no-more = 已列完。
plain-inbox-nothing-matches = 没有等待中的请求匹配“{ $filter }”。e 搜索已结束的；单独的 / 显示全部。
plain-inbox-none-ended = 没有已结束的请求。
plain-inbox-no-number = 列表中没有编号 { $number }。l 列出等待中的。
plain-inbox-has-ended = 它已结束，无需取消。
plain-inbox-cleared = 已收起。
plain-inbox-confirm = 确定取消？会告知提问者
plain-inbox-not-aside = 未取消，仍在等待。
plain-inbox-key-yes = y 取消，其他键不取消
plain-inbox-key-open = 编号打开
plain-inbox-key-more = m 继续
plain-inbox-key-list = l 列出等待中的
plain-inbox-key-leave = q 离开
plain-inbox-help-open = 2：回答 2 号；已结束的会读出结果和你输入过的内容。作答后自动打开下一个。
plain-inbox-help-list = l：等待中的，重新编号。e：已结束的。
plain-inbox-help-more = m：继续较长的列表。
plain-inbox-help-search = / 和词：按问题、提问者和文件夹搜索。单独的 /：全部。
plain-inbox-help-clear = x 2：取消 2 号；若有人等待或你有草稿，会先询问。c：收起所有已撤回或过期的。
plain-inbox-help-new = 你阅读或书写时到来的问题，会在下一次提示前告知。单独按 Enter 查看。
plain-inbox-help-leave = q、Ctrl-D、Ctrl-C：离开。所有问题继续等待。
plain-help-to-inbox = q、Ctrl-D：回到收件箱；问题继续等待，填写的内容已保留。

# Pages: signing in
page-sign-in-title = 登录
page-sign-in-as = 此浏览器将以 { $name } 的身份作答。
page-sign-in-here = 此浏览器将可以查看并回答程序的提问。
page-sign-in-button = 登录
page-sign-in-once = 链接只能使用一次，{ $left }
page-sign-in-failed = 主机暂时无法写入磁盘。链接仍然有效，请稍后再试。
page-needed-title = 尚未登录
page-needed = 这些页面供在此作答的人使用。在运行 askwell 的机器上执行一条命令，即可得到让浏览器登录的链接。
page-command-devices = 列出已登录的设备
page-command-here = 在那台机器的浏览器中打开收件箱
page-command-print = 打印链接，供其他浏览器使用
page-command-phone = 显示可用手机扫描的二维码
page-code-used-title = 此链接已被使用
page-code-used = 一个链接只能让一个浏览器登录一次。如果那不是你的浏览器，请在设备中找到它并注销。
page-code-unknown-title = 此链接无效
page-code-unknown = 链接在十分钟内有效，主机重启后即失效，并且必须完整。没有任何浏览器因此登录。
page-code-new = 请生成新的链接：
page-tries-title = 尝试次数过多
page-tries = 从这里尝试了太多无效的链接。请等待几秒钟，再试一次你的链接。

# Pages: devices
page-devices-here = 以下浏览器已登录。每个登录保持一年，或直到注销为止。
page-devices-of = 以下浏览器已登录，并以 { $name } 的身份作答。每个登录保持一年，或直到注销为止。
page-device-own = 本机
page-device-signed-in = { $time }登录
page-device-used = { $time }使用过
page-device-used-now = 一小时内使用过
page-device-sign-out = 注销
page-device-sign-out-name = 注销 { $name }
page-sign-out-everywhere = 全部注销…
page-sign-out-everywhere-title = { $count ->
   *[other] 注销 { $count } 台设备？
}
page-sign-out-everywhere-what = 此浏览器也在其中。草稿和请求都会保留；用新的链接可以重新登录。
page-sign-out-everywhere-yes = 全部注销
page-signed-out-on = { $count ->
   *[other] 已注销 { $count } 台设备。
}
page-form-foreign = 未作任何更改：该页面属于先前的登录。现在页面已更新，请再试一次。

# 网页：顶栏及其部件
page-to-main = 跳到正文
page-waiting = { $count } 个待回答
page-devices = 设备
page-inbox = 收件箱
page-to-inbox = 回到收件箱

# 网页：时间
page-time-now = 刚刚
page-time-ago = { $time }前
page-time-left = 剩余 { $time }
page-time-seconds = { $count } 秒
page-time-minutes = { $count } 分钟
page-time-hours = { $count } 小时
page-time-days = { $count } 天

# 网页：收件箱
page-who = { $name }（{ $verified }）
page-local-program = 本机程序
page-questions = { $count } 个问题
page-plan-review = 方案审阅
page-away-for = 提问者已离开（{ $time }）
page-away = 提问者已离开
page-waits-now = 正在等待
page-away-list = 提问者已离开
page-begun = 已有草稿
page-more = 显示更多
page-earlier = 早先
page-all-earlier = 所有早先的请求
page-search = 搜索
page-search-in = 搜索问题和回答
page-nothing-found = 没有找到。
page-empty = 没有等待你回答的问题
page-empty-what = 程序提问时，问题会自动出现在这里。可以一直打开此页面。
page-empty-reload = 程序提问后，重新加载此页面即可看到问题。
page-empty-try = 想看看是什么样子，请在终端中输入：

# 网页：请求
page-card = 给你的问题
page-verified = 引号内是提问者的自称；另一个是它的凭据名称，已由 askwell 核实
page-in-folder = 位于 { $folder }
page-session = 会话 { $session }
page-asked = { $time }提问
page-words-go-to = 你写的内容将发给 { $name }
page-words-go-here = 你写的内容将发给本机程序
page-extend = +10 分钟
page-extend-what = 把截止时间推迟十分钟
page-extended = 截止时间已推迟十分钟。
page-dismiss = { $count ->
    [1] 取消此问题
   *[other] 取消全部问题
}
page-context = { $lines ->
   *[other] 背景：{ $lines } 行
}
page-hint-text = 写下你的回答。
page-hint-single = 选一项，或自己写。
page-hint-single-only = 选一项。
page-hint-multi = 可选多项，也可自己补充。
page-hint-multi-only = 可选多项。
page-your-answer = 你的回答
page-own-answer = 你自己的回答
page-recommended = 推荐
page-preview = 预览：
page-kept = 你的文字保留，但不发送。
page-kept-skipped = 已跳过：输入的内容保留，但不发送。
page-kept-elsewhere = { $count ->
   *[other] 保留了你在其他屏幕上写的 { $count } 段文字
}
page-kept-text = 保留的文字
page-skip = 跳过此题
page-previous = 上一题
page-next = 下一题
page-save = 保存草稿
page-saved = 草稿已保存。
page-send = 发送
page-review = 复查并发送
page-edit = 修改
page-chosen = 所选：
page-not-sent = 保留，不发送：
page-errors = 尚未发送。内容没有丢失。
page-skip-rest = 跳过其余…
page-unfinished = 请回答此题，或跳过。
page-unfinished-reply = 请先写下回复。
page-too-long = 文字过长：最多 { $max } 字节。
page-too-much = 未保存：全部文字合计过长，最多 { $max } 字节。内容仍在此处。
page-rejected = 无法按现在的内容发送。
page-elsewhere = 其间在其他屏幕上输入了内容。请查看后再次发送。
page-not-saved = 主机暂时无法写入磁盘。内容没有丢失，仍在此处。请稍后再试。
page-offer = 你此前开始回答过：{ $time }
page-dismiss-title = 不作回答，就此取消？
page-dismiss-comment = 愿意的话，请说明原因。提问者会读到。
page-dismiss-yes = 确定取消

# 网页：方案
page-approve = 批准
page-decline = 拒绝
page-reply = 发送回复
page-plan-reply = 用自己的话回复，代替决定
page-plan-placeholder = 哪里需要改？
page-plan-keys = Enter 发送回复 · Shift+Enter 换行
page-as-question = 作为普通问题回答
page-as-plan = 作为方案显示

# 网页：已结束的请求
page-pending = 待回答
page-answered = 已回答
page-cancelled = 已取消
page-aborted = 已撤回
page-expired = 已过期，没有人及时回答
page-by = 由 { $name }
page-in-terminal = 在终端中
page-in-browser = 在浏览器中
page-in-client = 在 MCP 客户端中
page-by-rule = 按规则
page-by-program = 由程序
page-picked-up = 提问者已取走
page-not-picked-up = 尚未取走
page-reason = 原因
page-comment = 留言
page-skipped = 已跳过
page-detail = 说明
page-entered = 你曾输入，但没有发送
page-typed = 来得太晚。你输入的内容在此，可以复制
page-typed-unsaved = 你输入的内容，可以复制
page-late = 来得太晚
page-sent = 已发送给 { $name }。
page-dismissed = 已取消。已告知 { $name }。
page-show-it = 查看

# 网页：出错
page-not-found-title = 这里没有
page-nothing-here = 此地址没有内容，地址可能不完整。
page-not-found = 此地址没有请求。可能已被移除，或地址不完整。
page-forbidden-title = 不能从这里操作
page-forbidden = 此浏览器或此页面不能这样做。未作任何更改。
page-busy-title = 一次太多
page-busy = 请等待片刻再试。
page-unavailable-title = 主机暂时无法完成
page-unavailable = 没有丢失任何内容。请稍后再试。
page-bad-title = 没有成功
page-bad = 主机无法读取发送的内容。未作任何更改。
page-failed-title = 出错了
page-failed = 原因见主机日志。已接受的内容没有丢失。
page-signed-out-title = 你已注销
page-signed-out = 你发送的内容没有被接收。请用新链接重新登录（askwell open），再发送一次。

# 网页：脚本所说
page-js-next = 下一题
page-js-review = 复查
page-js-sending = 正在发送…
page-js-skip = 跳过
page-js-unskip = 取消跳过
page-js-saved = 草稿已保存
page-js-waits = 尚未保存；保留在此浏览器中
page-js-signed-out = 你已退出登录。填写的内容保存在此浏览器中：用新的链接（askwell open）在此登录后继续。
page-js-too-long = 这段文字太长，无法发送。它保留在这里。
page-js-elsewhere = 已按其他屏幕更新
page-js-other = 另一个屏幕在这里写了别的内容。
page-js-take-other = 显示那个
page-js-insert = 放入输入框
page-js-open = 尚未完成：第 { $places } 题。发送前请逐一回答或跳过。
page-js-collapse = 折叠
page-js-expand = 展开
page-js-ended = 此请求已结束。你在这里输入的内容保留，可以复制。
page-js-typed-here = 你在这里输入过、没有发送的内容
page-js-copy = 复制
page-js-copied = 已复制。
page-js-auto-next = 选择后自动前进
page-js-notify = 通知我
page-js-notify-on = 通知已打开。
page-js-notify-off = 通知已关闭。
page-js-notify-denied = 浏览器不允许此页面显示通知。请在浏览器的网站设置中允许，然后重新加载页面。
page-js-notify-title = { $name } 提问
page-js-new = 新问题：{ $question }
page-js-host-away = 无法连接主机。你填写的内容保存在此浏览器中，恢复后会存为草稿；在你发送之前不会提交任何内容。
page-js-try-again = 重试
page-js-send-failed = 未发送：无法连接主机。内容都保留在这里，请稍后再发送。
page-js-send-again = 主机已恢复，答案尚未发送：请现在发送。
page-js-not-saved = 未保存：主机无法接受目前的内容。内容保存在此浏览器中。
page-js-keep-open = 尚未保存，请不要关闭此页面。
page-js-gone = 主机已不再保存此提问。你在此填写的内容仍可复制。
page-js-show-all = 显示全部
page-js-show-less = 收起
page-js-filter = 筛选 { $count } 个选项
page-js-filter-hides = · 已选中但被隐藏：{ $count }
page-js-help = 按键
page-js-help-digits = 选择或勾选一个选项，并停留
page-js-help-arrows = 在选项之间移动，直到自己的文字；单选题移到哪项就选中哪项
page-js-help-enter = 继续；尚未选择的选项会先被选择
page-js-help-newline = 在文字中换行
page-js-help-custom = 填写自己的回答
page-js-help-all = 全部勾选，或全部取消
page-js-help-skip = 跳过此题，或取消跳过
page-js-help-filter = 筛选较长的选项列表；编号不变
page-js-help-questions = 上一题，下一题（焦点不在选项上时）
page-js-help-collapse = 折叠卡片，或重新展开
page-js-help-escape = 离开输入框；内容不会丢失
page-js-help-single = 单个字母或数字的按键

# 通知：没有人在看时所告知的
notice-one = { $asker } 在提问
notice-one-line = { $count ->
   *[other] 有 { $count } 个问题等你回答。
}
notice-many = 有 { $count } 个请求等你回答
notice-many-line = 来自：{ $asker }
notice-test = askwell 通知测试
notice-test-line = 通知会出现在这里。

# 智能体客户端中的表单
form-hint = 留空即跳过该问题。
form-custom = 用你自己的话
form-custom-beside = 与所选项一并发送
form-custom-instead = 代替选项发送
form-empty = 全部留空了。再发送一次即全部跳过。
form-again = 尚未发送：{ $faults }
form-page = 问题在你的收件箱页面上。

# MCP 服务器的表单，以问题的形式提出：对值的要求。
form-yes = 是
form-no = 否
form-needed = 此项必填。
form-default = 服务器建议：{ $value }
form-not-taken = 上次的回答不符合要求。
form-length = { $from } 到 { $to } 个字符。
form-length-from = 至少 { $from } 个字符。
form-length-to = 最多 { $to } 个字符。
form-count = 选 { $from } 到 { $to } 项。
form-count-from = 至少选 { $from } 项。
form-count-to = 最多选 { $to } 项。
form-whole = 请填 { $from } 到 { $to } 的整数。
form-whole-from = 请填不小于 { $from } 的整数。
form-whole-to = 请填不大于 { $to } 的整数。
form-whole-any = 请填整数。
form-number = 请填 { $from } 到 { $to } 的数。
form-number-from = 请填不小于 { $from } 的数。
form-number-to = 请填不大于 { $to } 的数。
form-number-any = 请填一个数。
form-email = 请填电子邮件地址。
form-uri = 请填完整地址，例如 https://example.com。
form-date = 请填日期，例如 2027-01-31。
form-date-time = 请填日期和时间，例如 2027-01-31T15:00:00Z。

# 演示
demo-host = 1. 主机在一个用完即删的文件夹上启动：不会动到你自己的收件箱。
demo-agent = 2. 智能体启动“askwell mcp”，找到它的工具：{ $tools }
demo-link = 在浏览器里用此链接登录，仅一次有效：
demo-opened = 浏览器正在打开。另一个浏览器可用此链接登录，仅一次有效：
demo-tunnel = 在你自己的机器上先运行：{ $command }
demo-waits = 请在浏览器里回答；这里会等待。Ctrl-C 结束演示。
demo-left = 你离开了；它带着你的草稿继续等待。回车：在这里重新打开。Ctrl-C 结束演示。
demo-got = { $step }. 智能体得到：
demo-ended = 演示结束，没有保留任何内容。
demo-next = 演示到此结束，没有保留任何内容。给你自己的智能体：askwell connect claude-code（或 codex、gemini、opencode、vscode、cursor）。在脚本里：askwell ask --help
