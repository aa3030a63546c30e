### 観客が読む文（日本語）。注記はすべて原文の en.ftl にあります。
### お店: store。リクエスト: request。返事: response。タグ: tag。棚: shelf。鉢: pot。

plant =
    { $named ->
        [yes] 「{ $name }」
       *[no] { $id }番の植物
    }
    .first =
        { $named ->
            [yes] 「{ $name }」
           *[no] { $id }番の植物
        }
called =
    { $named ->
        [yes] { $name } ({ $id })
       *[no] { $id }番の植物
    }

please-add =
    { $named ->
        [yes] 「{ $name }」を{ $id }番の植物として追加してください。
       *[no] { $id }番の植物を追加してください。
    }
please-delete =
    { $named ->
        [yes] { $id }番の植物「{ $name }」を削除してください。
       *[no] { $id }番の植物を削除してください。
    }

said-yes = お店は{ $time }で「はい」と言いました。
    .short = お店は「はい」と言いました。
said-no = お店は「いいえ」と言いました。
said-neither = お店は「はい」とも「いいえ」とも言いませんでした。
nothing-sent = 何も送られませんでした。
no-response = 返事が来ませんでした。
no-response-within = { $time }のうちに返事が来ませんでした。
    .short = 返事が来ませんでした。
no-response-again = 今度も返事が来ませんでした。
    .short = また返事なし。
you-decided = 決まりました。

weather = 今の天気では、お店は何にでも「いいえ」と言います。
nothing-changed = 「何も変わっていない」と言いましたが、このリクエストには合わない返事です。
points-elsewhere = 別のあて先を案内されましたが、そこへは何も送りません。
invalid-request = このままでは、このリクエストを受け取ってもらえません。
unknown-token = リクエストに付いていたトークンは、お店に認められませんでした。
forbidden = このトークンでは、それはできません。
takes-no-plants = このあて先では植物を受け付けていません。あて先が違うのかもしれません。
knows-no-plant = お店は{ $id }番の植物を知りません。
knows-no-plant-or-address = お店が{ $id }番の植物を知らないか、あて先が違うかです。
does-no-such-things = このあて先では、そういうことはできません。あて先が違うのかもしれません。
has-one-already = { $id }番の植物はもうあるようです。
had-it-once = { $id }番の植物は前にありましたが、今はもうありません。
too-long = リクエストが長すぎます。
another-kind = この種類のリクエストは受け取ってもらえません。
asked-too-often = 何度も頼まれすぎて、休みたいそうです。
no-reason = 理由は、だれにでもわかる言い方ではありませんでした。
store-words = 返事のことば: 「{ $words }」。

gave-up-waiting = リクエストの残りを待ちきれなくなりました。
from-the-way = 返事は、お店の手前のだれかから来たようです。
cannot-now = 今はできないそうです。
went-wrong-inside = お店の中で何かがうまくいかなかったそうです。

not-written-down = 先にここに書きとめられなかったからです。書きとめるまでは何も送りません。
no-request-possible = これではリクエストを作れません。
not-reached = お店につながりません。
not-reached-within = { $time }のうちにお店につながりませんでした。
stopped-in-time = 送る前に取り消されました。
changed-meanwhile = その間にほかの人がこの植物を変えました。
you-stopped-waiting = あなたが待つのをやめました。
program-ended = その前にプログラムが終わりました。
program-failed = このプログラムの一部が動かなくなりました。

added =
    { $named ->
        [yes] 「{ $name }」は{ $id }番の植物として追加されました。
       *[no] { $id }番の植物が、名前なしで追加されました。
    }
deleted = { plant.first }はもうありません。
not-added = { plant.first }は追加されませんでした。
not-deleted = { plant.first }は削除されませんでした。
unknown-add = { plant }が追加されたかどうかは、わかりません。
unknown-delete = { plant }が削除されたかどうかは、わかりません。
not-added-again = { plant.first }は二重には追加されず、{ $id }番の植物は前のままです。
not-added-beside = { plant.first }は追加されず、前からある{ $id }番の植物はそのままです。
counts-as-stored = { plant.first }は、お店にあることにします。
leaves-the-list = { plant.first }は、リストから外れます。

earlier-delete-worked = 前の削除はうまくいっていて、{ plant }はもうないようです。
earlier-add-lost = 前の追加は届いておらず、{ plant }は初めからなかったようです。
earlier-add-worked = それは、前に追加しようとした植物かもしれません。
earlier-delete-failed = 前の削除は、うまくいかなかったようです。
still-unknown-add = これでは何も変わらず、前の追加がうまくいったかどうかは、まだわかりません。
still-unknown-delete = これでは何も変わらず、前の削除がうまくいったかどうかは、まだわかりません。

but-broke-off = でも、返事が途中で切れました。
but-too-long = でも、返事が長すぎて最後まで読めませんでした。
but-empty = でも、お店は受け取ったものを、説明書のとおりにくり返しませんでした。
but-unlike = でも、返事が説明書と違います。
but-missing =
    { $field ->
        [name] でも、お店は名前をくり返しませんでした。
       *[tag] でも、お店はタグをくり返しませんでした。
    }
but-another-form =
    { $field ->
        [name] でも、お店は名前を、送ったのとは違う形でくり返しました。
       *[tag] でも、お店はタグを、送ったのとは違う形でくり返しました。
    }
but-changed =
    { $field ->
        [name] でも、名前「{ $sent }」を送ったのに、お店は「{ $came }」とくり返しました。
       *[tag] でも、タグ「{ $sent }」を送ったのに、お店は「{ $came }」とくり返しました。
    }
but-said-more = でも、お店は説明書にないことも言いました。
of-member = これは{ $name }さんの操作です。

you-and-the-store = あなたとお店
title-add = { called }を追加
title-delete = { called }を削除
title-forgotten = { called }、リスト外
title-resolved = { called }、解決済み
you = あなた
the-store = お店
arrived = 届いた？
on-its-way = リクエストを送っています。
no-response-yet = まだ返事なし
no-response-for = まだ返事なし、{ $time }
stopped-waiting = 待つのをやめました
answer-yes = はい。
answer-no = いいえ。
answer-neither = 「はい」でも「いいえ」でもない。
answer-none = 返事なし
not-sent = 未送信。
request = リクエスト
response = 返事
no-request-stored = リクエストは保存されていません。
no-readable-response = 読める返事はありません。
stored = お店にあることにします。
forgotten = リストから外しました。
is-not-listed = リストにありません。
nothing-sent-for-that = 決めただけで、何も送られていません。
new-plant = 新しい植物です。
typed-before = 前に入力した植物です。
really-delete = 削除しますか？
really-delete-them = これらを削除しますか？
reading = 記録を読んでいます…
nothing-said-yet = まだやりとりがありません。植物を追加すると、そのようすがここで見られます。
many-accepted = お店の「はい」: { $count }件。
many-added = { $count }鉢の植物を追加しました。
many-deleted = { $count }鉢の植物を削除しました。
many-stored = お店にあるものとする: { $count }件。
many-forgotten = { $count }鉢をリストから外しました。
many-rejected = お店の「いいえ」: { $count }件。
many-not-sent = 未送信: { $count }件。
many-left = 残り: { $count }件。
select-a-plant = 植物を選ぶと、それについて最後のやりとりが見られます。

nothing-grows = ここにはまだ何も育っていません。{ $add }で植物を追加できます。{ $tour }でおためしのお店の案内が始まります。
none-fits = フィルターに合う植物はありません。
one-pot = 鉢 { $first }／全{ $all }
pots = 鉢 { $first }-{ $last }／全{ $all }
marked = { $count }鉢に印
pot-on-its-way = 送信中
pot-unknown = 不明
pot-leaving = 削除中
pot-deleted = 削除済み
pot-forgotten = リスト外
pot-rejected = 断られた
pot-not-sent = 未送信
board-not-stored = お店にない
board-unknown-tag = タグ不明
board-no-tag = タグなし

ask-delete = { called }を削除しますか？
ask-delete-many = この{ $count }鉢の植物を削除しますか？
at-store = お店: { $store }
some-not-listed = リストにないもの: { $count }件。お店にはまだあるかもしれません。
left-out = 対象外: { $count }件。
hidden-by-filter = フィルターで隠れているもの: { $count }件。
may-have-it = リストにはありませんが、お店にはまだあるかもしれません。
unknown-there = お店にあるかどうかは、わかりません。
ask-there = { called }はお店にありますか？
ask-still-there = { called }はまだお店にありますか？
ask-there-many = この{ $count }鉢の植物はお店にありますか？
only-you-can-say = 何があるかをお店に聞くことはできないので、決められるのはあなただけです。
ask-forget = { called }をリストから外しますか？
ask-forget-many = この{ $count }鉢の植物をリストから外しますか？
stays-there = お店には何も聞きません。お店にあるものはそのままです。
not-there = お店は、{ $id }番の植物はないと言っています
listed-not-there = { plant.first }はリストにありますが、お店は、その植物はないと言っています。
none-there = お店は、この{ $count }鉢の植物はどれもないと言っています
listed-none-there = リストにはありますが、お店は、どの植物もないと言っています。
ask-re-add = { called }をもう一度追加しますか？
ask-re-add-many = この{ $count }鉢の植物をもう一度追加しますか？
number-taken = { called }（番号はリストのほかの植物が使用中）
same-number = 同じ番号のものがあります。
part-of-list = { $first }-{ $last }行目／全{ $all }行。{ $key }で次へ
ask-quit = 終了しますか？
demo-ends = 終了すると、おためしのお店の植物はすべて消えます。
quit-watched = 失われるものはありませんが、見ている人がいるかもしれません。
quit-in-flight = 送信中のリクエスト: { $count }件。返事を待たずに終わります。
quit-under-way = 実行中の作業: { $count }件。終了すると中断されます。
quit-unknown = 不明のままの植物: { $count }鉢。
quit-unsent = 未送信のリクエスト: { $count }件。これは失われます。
quit-forms = 入力したまま未送信の植物: { $count }鉢。これは失われます。
ask-go-on = 続けますか？
ask-go-on-import = 読み込みを続けますか？
five-prove-nothing = 5回続けて、役に立つ返事がありませんでした。お店、アドレス、トークンのどれかに問題があるかもしれません。
ask-leave = このお店を離れますか？
leaving-ends-demo = おためしのお店の植物は、離れるとすべてなくなります。
ask-weather = おためしのお店の天気
weather-acts = これから、お店がリクエストをどう扱うかです。
question-of = { $at }／{ $of }: { $question }
press-again = もう一度{ $key }、または{ $choose }を押す

keep-it = 残す
    .hint = 何も送りません
keep-them = 残す
    .hint = 何も送りません
keep-listed = 残す
    .hint = リストに残ります
keep-all-listed = 残す
    .hint = リストに残ります
delete-it = 削除する
    .hint = 元に戻すには、また追加するしかありません
delete-them = 削除する
    .hint = 元に戻すには、また追加するしかありません
leave-it = そのままにする
    .hint = 不明のままです
leave-them = そのままにする
    .hint = 不明のままです
not-now = 今はしない
    .hint = 何も送りません
stop-here = ここでやめる
    .hint = もう何も送りません
go-on = 続ける
    .hint = 残りをそのまま送ります
add-them = 追加する
    .hint = お店に追加を頼みます
add-again = もう一度送る
    .hint = お店で二重になるかもしれません
add-all-again = もう一度送る
    .hint = お店で二重になるかもしれません
delete-again = もう一度送る
    .hint = もう一度削除します。番号が新しい植物に使われていたら、それが削除されます
delete-all-again = もう一度送る
    .hint = もう一度削除します。番号が新しい植物に使われていたら、それが削除されます
mark-stored = お店にある
    .hint = 知っているときだけ。何も送りません
mark-all-stored = お店にある
    .hint = 知っているときだけ。何も送りません
all-together = まとめて決める
    .hint = この植物と残りのことを、一つの質問で決めます
forget-it = リストから外す
    .hint = リストから外すだけです。何も送りません
forget-add = この追加を忘れる
    .hint = 前の植物はリストに残ります
forget-them = リストから外す
    .hint = リストから外すだけです。何も送りません
stay = 続ける
    .hint = 何も変わりません
go-there = 移動する
    .hint = 別のお店を開きます。何も送りません
quit = 終了する
    .hint = プログラムを終わります
weather-calm = 穏やか
    .hint = 返事はすぐに来ます。
weather-slow = 返事が遅い
    .hint = 返事に3秒かかります。
weather-losing-responses = 返事が消える
    .hint = お店は頼まれたことをして、黙っています。
weather-rejecting = 何にでも「いいえ」
    .hint = お店は毎回「いいえ」と言います。
weather-out-of-order = 返事の順番が変わる
    .hint = 返事どうしが追いこし合います。

form-add = 植物を追加
form-unsent = 前に入力、未送信
form-not-added = 追加されませんでした
form-re-add = もう一度追加
form-edit = 直してもう一度送る
form-duplicate = コピー
field =
    { $field ->
        [name] 名前
        [id] 番号
       *[tag] タグ
    }
is-empty =
    { $field ->
        [name] 名前が空です。
       *[tag] タグが空です。
    }
space-around =
    { $field ->
        [name] 名前の初めか終わりに空白があります。
       *[tag] タグの初めか終わりに空白があります。
    }
invisible =
    { $field ->
        [name] 名前に見えない文字があります。
       *[tag] タグに見えない文字があります。
    }
taken = その番号は{ plant }が使っています。
number-invalid = 18けたまでの整数を入力してください。例: 12
rejected-before = お店は前に、同じ植物に「いいえ」と言いました。
was-deleted = 削除されました。
was-forgotten = リストから外されました。お店にはまだあるかもしれません。
was-rejected = 前回、お店は「いいえ」と言いました。
was-not-sent = 送られませんでした。
was-accepted = お店は「はい」と言いました。
was-unknown = うまくいったかどうかは、わかりません。
copy-of = { called }のコピーです。
sent-otherwise = 検査では違う頼み方をしました。今度はふつうに頼みます。
typed-elsewhere = 別のお店で入力した文字です。入力すると置きかわり、Tabを押すと残ります。
form-sends = { $enter }で、この植物を追加するようお店に頼みます。
form-sends-again = もう一度{ $enter }を押すと、このままお店に頼みます。
form-sends-twice = { $enter }を2回押すと、このままお店に頼みます。
form-needs-number = 番号が正しくなれば、{ $enter }で送れます。
form-next-number = { $key }で、リストの次の空き番号{ $id }にします。
form-kept = 未送信です。次のフォームに、この内容がまた入ります。
form-discards = { $esc }か{ $key }で破棄します。
form-starts-over = { $key }で、空のフォームから始めます。

re-add = 植物をもう一度追加
find = 検索
find-to-re-add = 名前、タグ、番号の一部
none-to-re-add = まだありません。削除された、リストから外された、断られた、または未送信の植物をここで探して、もう一度追加できます。
none-has-this = 名前、タグ、番号にこれを含むものはありません。
nothing-to-undo = このお店を開いてから、あなたの操作で元に戻すものはありません。{ $key }で、前に削除したものを探せます。
nothing-to-take-back = 植物についてあなたが決めたことで、リクエストでは元に戻せません。
re-add-marked = { $count }鉢に印。{ $enter }を押すと、確認のあとですべて追加します。
delete-by-number = 番号で削除
delete-any = リストにない植物でも削除を頼めます。決めるのはお店です。

token-for = このお店のトークン
token = トークン
token-needed = 正しいトークンがないと、お店は何もしません。
token-invalid = 正しいトークンになりませんでした。
token-fetches = 空欄で{ $key }を押すと、もう一度取りに行きます。
token-fetching = もう一度取りに行っています…
token-stays = このお店だけに送られ、終了するまで保たれ、表示されません。
token-sends = 待っているリクエスト{ $count }件が、そのあと送られます。

tour-shelves = ここはおためしのお店です。植物の鉢は、タグごとの棚にあります。
tour-form = ツアーが{ $add }を押しました。植物には名前と番号とタグがあります。まだ何も送られていません。
tour-yes = ツアーがお店をゆっくりにしたので、種は鉢の中で待ち、お店が「はい」と言うと育ちました。
tour-taken = この番号はもう使われています。プログラムは注意するだけで、お店が決めます。
tour-no = お店が「いいえ」と言ったので、リクエストははね返され、何も変わりませんでした。
tour-lost = 今回は返事が来ませんでした。ランがお店にあるかどうかは、わかりません。
tour-resolve = ツアーが{ $resolve }を押しました。お店には何があるか聞けないので、あなたが決めます。
tour-decided = ツアーがあなたの代わりに「お店にある」と答えました。決めただけで、何も送られていません。
tour-delete = ツアーが{ $delete }を押しました。植物を削除する前に、プログラムが確認します。
tour-end = お店が「はい」と言ったので、ランはもうありません。{ $help }を押すと、すべてのキーが見られます。
tour-otherwise = 予定どおりに進みませんでした。わかっていることは、絵のとおりです。
tour-first-plants = 最初の植物を追加しています…
tour-on-its-way = リクエストを送っています…
tour-journal = 記録しています…
tour-picture = ここでは、リクエストが絵になります。
tour-cacti = 月のサボテン, 星のサボテン, 夜のサボテン, 丸いサボテン, 赤いサボテン
tour-desert = 砂漠
tour-orchids = 白いラン, 桃色のラン, 赤いラン, 黄色いラン, 紫のラン
tour-tropical = 熱帯
sample-names = モンステラ, バジル, ボストンシダ, ダリア, キンシャチサボテン, ラベンダー
sample-tags = { tour-tropical }, 台所, 日かげ, 切り花, { tour-desert }, ハーブ園

tour-position = ツアー { $at }／{ $of }
tour-goes-on = スペースで次へ、Escで終了
tour-ends = スペースでツアーを終了
tour-leave = Escで終了
tour-really-leave = もう一度Escで終了、スペースで次へ
tour-not-yet = まだ処理中です。お待ちください
tour-your-keys = ほかのキーはツアーのあとで。スペースで次へ、Escで終了
tour-looks-back = 前の説明です。したことは元に戻りません。スペースで次へ

tour-elsewhere = ツアーはおためしのお店で行います。このお店はそのままです。
tour-over = ツアーは終わりです。
tour-left = ツアーをやめました。
tour-left-plants = ツアーで追加したものは残ります。
tour-left-weather = 天気は元に戻りました。
tour-left-demo = ここはおためしのお店です。{ $key }で自分のお店へ移ります。
stage-begins = 発表モードは押したキーを表示します。{ $key }で終了。
stage-ends = 発表モードを終了しました。

header-demo = おためしのお店
header-demo-gone = このパソコンの中、終わるとすべて消えます
header-stored = お店に{ $count }鉢
header-on-its-way = 送信中 { $count }
header-unknown = ? 不明 { $count }
header-all-known = 不明なし
header-in-flight = 送信中 { $count }
header-not-sent = 未送信 { $count }
header-read-only = 読み取り専用
header-no-token = トークンなし
header-token-set = トークンあり
header-not-encrypted = 暗号化なし
header-checks = 検査中: { $all }件のうち{ $done }件
header-ends-check = 検査の終了中
header-team = チーム
header-team-offline = チームはオフライン
header-team-not-joined = チーム未参加
header-team-takes-none = チームが受け付けません
header-team-people = { $count }人
header-team-reads = 未読 { $count }
header-team-skipped = 対象外 { $count }
header-team-sends = 未送信 { $count }
header-slow = 天気: 返事が遅い
header-losing-responses = 天気: 返事が消える
header-rejecting = 天気: 何にでも「いいえ」
header-out-of-order = 天気: 返事の順番が変わる

import-begun = 読み込みが始まりました。{ $key }で止められます。
import-done = { $done }／{ $all }
import-left = { $rate }  あと{ $time }
import-stopping = 停止中: 返事を{ $count }件待っています
import-cancelling = リクエスト{ $count }件を取り消しています
import-waits = あなたの答えを待っています
import-pauses = お店の休みの希望: { $time }

nothing-leaves = すべてこのパソコンの中です。
key-helps = { $key }ですべてのキーが見られます。
key-resolves = { $key }で解決します。
key-sends-again = { $key }でもう一度送ります。
key-re-adds = { $key }でもう一度追加します。
key-opens-form = { $key }でフォームをもう一度開きます。
key-goes-on = まだ不明なものがあります。{ $key }で続けます。
not-listed = { plant.first }はリストにありません。
key-does-nothing = { $key }は今は使えません。
key-cannot = { $key }は今は使えません。{ $why }。
why-not = { $name }
    .no-plant-is-selected = 植物が選ばれていません
    .nothing-is-unknown = 不明なものはありません
    .nothing-waits-to-be-sent-again = もう一度送るものはありません
    .nothing-is-in-flight = 送信中のものはありません
    .something-is-in-flight-wait-for-it-or-cancel-it = まだ送信中のものがあります
    .an-import-is-under-way-wait-for-its-end-or-stop-it = 読み込みが続いています
    .a-check-is-under-way-wait-for-its-end-or-stop-it = 検査が続いています
    .its-delete-is-already-under-way = もう削除しているところです
    .another-program-deletes-it-already = 別のプログラムがもう削除しています
    .its-name-is-not-known = 名前がわかりません
    .all-of-it-is-on-screen = すべて見えています
    .only-the-demo-store-has-weather-to-choose = 天気があるのは、おためしのお店だけです
    .the-store-is-read-only-here-by---read-only-its-variable-the-config-file-or-the-journal = 読み取り専用なので、何も送りません
too-early = これを読む前に押されました。もう一度どうぞ。
still-under-way = まだ続いています。もう一度{ $key }を押すと止まります。
select-to-cancel = 送信中: { $count }件。選んで{ $key }で取り消し、{ $all }ですべて取り消します。
filter-hides = フィルターで隠れています。{ $key }ですべて表示します。
nothing-unknown = 不明なものはありません。
no-marked-unknown = 印の植物に不明なものはありません。{ $back }で印を消してから、{ $resolve }でほかのものを解決します。
sort-by = どの列で並べ替えますか？番号を押してください。
sorted-by = 並べ替え: { $column }。
range-begun = 通ったところに印が付きます。{ $key }で終わります。
paste-into-form = 貼り付けられるのは、フォームの中だけです。
setting-kept = この設定は次の起動でも使われます。
setting-lasts = この設定は終了するまで有効です。
token-set = トークンを設定しました。
copied = コピーしました。
copied-perhaps = 端末が対応していれば、コピーされています。
asks-when-run = curlコマンドを実行するたびに、リクエストがまた送られます。
discarded = 破棄しました。
mouse-of-terminal = マウスで文字を選べます。{ $key }で元に戻します。
mouse-of-program = マウスがまたここで使えます。{ $key }で文字を選べます。
weather-now = 天気: { $weather }。{ $effect }

key = { $name }
    .Enter = Enter
    .Esc = Esc
    .Tab = Tab
    .Shift = Shift
    .Backspace = Backspace
    .Delete = Delete
    .Up = 上矢印
    .Down = 下矢印
    .Left = 左矢印
    .Right = 右矢印
    .Home = Home
    .End = End
    .PageUp = PageUp
    .PageDown = PageDown
    .Ctrl = Ctrl
    .Alt = Alt
    .Space = スペース

label = { $name }
    .add = 追加
    .delete = 削除
    .delete-by-id = 番号で削除
    .resolve = 解決
    .send-again = もう一度送る
    .open = 開く
    .filter = 絞り込み
    .sort = 並べ替え
    .mark = 印
    .unmark = 印を消す
    .requests = リクエスト
    .connection = 接続
    .duplicate = コピー
    .re-add = もう一度追加
    .undo = 元に戻す
    .import = 読み込み
    .export-plants = 書き出し
    .outcome = 結果
    .only-its-plant = この植物だけ
    .compare = 比較
    .report = レポート
    .check = 検査
    .earlier = 前の検査
    .weather = 天気
    .as-sent = 送った形
    .picture = 絵
    .copy-curl = curlをコピー
    .copy-response = 返事をコピー
    .copy-id = 番号をコピー
    .next-column = 次の列
    .edit = 直す
    .fold = たたむ
    .unfold = 広げる
    .commands = コマンド
    .tour = ツアー
    .help = ヘルプ
    .quit = 終了
    .cancel = 取り消す
    .dismiss = 消す
    .show-all = すべて表示
    .scroll = スクロール
    .back = 戻る
    .send = 送る
    .next-field = 次の欄
    .previous = 前へ
    .change = 変える
    .close = 閉じる
    .headers = ヘッダー
    .next-free-id = 次の空き番号
    .start-over = 最初から
    .choose = 選ぶ
    .next = 次へ
    .find = 検索
    .take-it = 選ぶ
    .keep-it = 確定
    .to-the-list = リストへ
    .end-the-range = 範囲を終える
    .stop-waiting = 待つのをやめる
    .open-it = 開く
    .write-it = 保存
    .save-and-open-it = 保存して開く
    .complete = 補完
    .complete-next-field = 補完、次の欄
    .do-it = 実行
    .go-to-the-id = 番号へ
    .once-more-send-it = もう一度押して送る
    .twice-send-it = 2回押して送る
    .go-there = そこへ
    .formatted = 整形
    .go-on = 続ける
    .stop-here = ここでやめる
    .use-it = 使う
    .add-the-marked-ones = 印の植物を追加
    .validate-it = 確かめる
    .stop-reading = 読むのをやめる
    .stop = 止める
    .stop-at-once = すぐに止める
    .stop-the-import = 読み込みを止める
    .cancel-what-is-in-flight = 送信中のものを取り消す
    .cancel-the-command = コマンドを取り消す
    .cancel-the-commands = コマンドを取り消す
    .end-the-comparison = 比較を終える
    .accepted = はい
    .rejected = いいえ
    .unknown = 不明
    .not-sent = 未送信
    .The-import-is-done = 読み込みが終わりました
    .The-import-was-stopped = 読み込みは止められました
    .The-import-halted = 読み込みは途中で止まりました
    .An-import-is-under-way = 読み込み中
    .file = ファイル
    .left-out = 除外
    .done = 完了
    .not-tried = 未実行
    .more-below = 下に続きます
    .rows-that-need-a-look = 確認が必要な行
    .skipped = 対象外
    .id = 番号
    .name = 名前
    .tag = タグ
    .state = 状態
    .since = 変更日時
    .started = 開始
    .what = 操作
    .plant = 植物
    .status = コード
    .size = サイズ
    .took = 所要時間
    .Plants = 植物
    .History = 履歴
    .Check = 検査
    .Greenhouse = 温室
