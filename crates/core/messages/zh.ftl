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
draft-unsaved = 草稿未保存：{ $reason }
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
field-full = 已满：最多 { $limit } 字节。
comment-blank = 请写下说明，或按 Esc 返回。
restored = 草稿已恢复。
started-empty = 已从空白开始。先前的草稿仍保留。
elsewhere = 此题已在别处修改；你在这里的文字保留。
taken-elsewhere = 已按别处的修改更新。

# 提示框
leave-title = 要离开这些问题吗？
leave-draft = 已输入的内容会保留为草稿。
# 对话框结束后写到标准错误
note-draft-kept = 输入的内容保留 { $days } 天；从这里再问同样的问题即可取回
note-text-kept = 未发送的文字保留 { $days } 天；从这里再问同样的问题即可取回
leave-stay = 继续回答
leave-cancel = 取消全部问题
leave-comment = 取消并附说明
comment-title = 为什么搁置这些问题？提问者会读到你的说明。
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
resolved-answered = 已在别处回答。你在这里输入的内容保留。
resolved-cancelled = 已在别处取消。你在这里输入的内容保留。
resolved-aborted = 提问者已撤回。你在这里输入的内容保留。
resolved-expired = 已过期：没有人及时回答。你在这里输入的内容保留。
close = 关闭
more-not-shown = 另有 { $count } 项

# 复查
review-title = 发送前复查
review-open = 未回答
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
hint-review = r 复查
hint-leave = Esc 离开
hint-clear-filter = Esc 清除筛选
hint-help = ? 帮助
hint-newline = Alt-Enter 换行
hint-to-list = ↑ Esc 回到列表
hint-leave-field = Esc 列表
hint-leave-text = Esc s 跳过
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

# 帮助
help-title = 按键
help-move = 上、下、j、k：移动。Home、End、g、G：首项、末项
help-choose = 空格或 1–9：选择或勾选，停留在本题
help-enter = Enter：继续；单选题会先选中当前选项
help-custom = c，或在最后一项按下：写自己的回答
help-field = 在输入框里可打印的键都是文字。Enter 继续；Alt-Enter、Ctrl-J 或 Shift-Enter 换行
help-field-edit = Ctrl-A/E 行首/行尾，Ctrl-W 删词，Ctrl-U/K 删到行首/行尾，Ctrl-Y 放回，Ctrl-Z 撤销，Alt-Z 重做
help-field-leave = Esc，或在首行按上：回到列表。在自填行按空格可开关保留的文字
help-questions = Tab、Shift-Tab、左、右：换题；草稿保留
help-skip = s：跳过并继续；在已跳过的题上：取消跳过
help-all = a、n：全选、全不选（筛选后的范围内）。u：撤销
help-filter = /：筛选选项；编号不变
help-scroll = PgDn、PgUp：滚动说明。o：查看问题的全部内容
help-review = r：发送前复查所有回答
help-collapse = z：折叠与展开
help-leave = Esc：先离开输入框，再询问是否取消
help-cancel = Ctrl-C：立即取消；草稿保留
help-cancel-leave = Ctrl-C：立即离开；问题仍待回答，草稿保留
