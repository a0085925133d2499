//! Every shape of an answer, by the buttons of a card.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Open, answer, answered, ask, r2};
use crate::support::{Form, TestHost, r1, r3};

#[tokio::test]
async fn b002_text_beside_ticks_arrives() {
    let mut open = Open::new(&r2()).await;

    let form = open.card().await.option(0, 0).option(0, 2).choose(0, "custom").write(0, "also SSO");
    open.press(&form, "submit").await.leads_to();

    let expected = answered(&[answer("feat", &["Auth", "Export"], Some("also SSO"))]);
    assert_eq!(open.outcome().await, expected);
}

#[rstest]
#[case::ticked(true)]
#[case::not_ticked(false)]
#[tokio::test]
async fn b003_text_alone_on_a_multi_select_counts_ticked_or_not(#[case] ticked: bool) {
    let mut open = Open::new(&r2()).await;

    let mut form = open.card().await.write(0, "none of these, see ticket");
    if ticked {
        form = form.choose(0, "custom");
    }
    open.press(&form, "submit").await.leads_to();

    let expected = answered(&[answer("feat", &[], Some("none of these, see ticket"))]);
    assert_eq!(open.outcome().await, expected);
    let page = open.page().await.words();
    assert!(page.contains("none of these, see ticket") && !page.contains("Skipped"), "{page}");
}

#[tokio::test]
async fn b055_ticks_alone_on_a_multi_select_arrive_all() {
    let mut open = Open::new(&r2()).await;

    let form = open.card().await.option(0, 2).option(0, 0);
    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("feat", &["Auth", "Export"], None)]));
}

#[tokio::test]
async fn b010_text_without_a_choice_is_the_text() {
    let mut open = Open::new(&r1()).await;

    let form = open.card().await.write(0, "keep it in memory");
    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &[], Some("keep it in memory"))]));
}

#[tokio::test]
async fn a_choice_alone_is_the_choice() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await;
    assert_eq!(form.chosen(0), [""; 0], "nothing is chosen for anybody");

    let form = form.option(0, 1);
    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &["SQLite"], None)]));
}

#[rstest]
#[case::without("send-without", answer("db", &["SQLite"], None))]
#[case::with("send-with", answer("db", &[], Some("a long text")))]
#[tokio::test]
async fn b004_text_and_another_choice_is_a_page_that_asks_which(
    #[case] button: &str,
    #[case] sent: serde_json::Value,
) {
    let mut open = Open::new(&r1()).await;

    let form = open.card().await.write(0, "a long text").option(0, 1);
    let asked = open.press(&form, "submit").await;

    assert_eq!(asked.status, 200);
    assert!(asked.words().contains("a long text") && asked.words().contains("SQLite"));
    let form = Form::of(&asked);
    assert!(form.buttons.contains(&"back".to_owned()));
    assert!(open.is_pending().await);
    // Neither Enter nor anything else answers by itself.
    assert_eq!(open.press(&form, "submit").await.status, 200);
    assert!(open.is_pending().await);

    open.press(&form, button).await.leads_to();
    assert_eq!(open.outcome().await, answered(&[sent]));
}

#[tokio::test]
async fn b004_back_from_the_page_that_asks_keeps_both() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.write(0, "a long text").option(0, 1);
    let form = Form::of(&open.press(&form, "submit").await);

    let back = open.press(&form, "back").await.leads_to().to_owned();
    let form = Form::of(&open.browser.get(&back).await);

    assert_eq!((form.chosen(0), form.text("q0.text")), (vec!["1"], "a long text"));
    // Taking up the text by its own radio is no question any more.
    let form = form.choose(0, "custom");
    open.press(&form, "submit").await.leads_to();
    assert_eq!(open.outcome().await, answered(&[answer("db", &[], Some("a long text"))]));
}

#[tokio::test]
async fn an_optionless_question_is_answered_with_text_and_line_ends_are_mended() {
    let request = json!({"questions": [{"id": "why", "question": "Why?"}]});
    let mut open = Open::new(&request).await;
    let form = open.card().await;
    assert!(!form.has("q0.chosen"));

    let form = form.write(0, "\n first\n\n  second\r\nthird \n");
    assert!(form.text("q0.text").contains("\r\n"));
    open.press(&form, "submit").await.leads_to();

    let expected = answer("why", &[], Some("first\n\n  second\nthird"));
    assert_eq!(open.outcome().await, answered(&[expected]));
}

#[tokio::test]
async fn only_a_persons_skip_skips_and_it_keeps_what_was_entered() {
    let mut open = Open::new(&r2()).await;

    let form = open.card().await.option(0, 1).skip(0);
    let review = open.press(&form, "submit").await;

    assert!(review.words().contains("skipped"), "{}", review.words());
    open.press(&Form::of(&review), "submit").await.leads_to();
    assert_eq!(open.outcome().await, answered(&[answer("feat", &[], None)]));
    assert_eq!(open.drafts().await[0]["chosen"], json!(["Search"]));
}

#[tokio::test]
async fn text_on_a_skipped_question_does_not_stay_behind_in_silence() {
    let mut open = Open::new(&r2()).await;
    let form = open.card().await.option(0, 1).write(0, "but mind the index").skip(0);
    let review = Form::of(&open.press(&form, "submit").await);

    let asked = open.press(&review, "submit").await;

    assert!(asked.words().contains("but mind the index"), "{}", asked.words());
    open.press(&Form::of(&asked), "send-with").await.leads_to();
    let expected = answer("feat", &["Search"], Some("but mind the index"));
    assert_eq!(open.outcome().await, answered(&[expected]));
}

#[tokio::test]
async fn b056_a_batch_is_shown_whole_reviewed_and_sent_as_one() {
    let mut open = Open::new(&r3()).await;
    let page = open.page().await;
    for text in ["Which database?", "Which features?", "Project name?"] {
        assert!(page.words().contains(text));
    }

    let form = Form::of(&page).option(0, 0).option(1, 1).write(1, "and SSO").write(2, "askwell");
    let review = open.press(&form, "submit").await;
    assert!(open.is_pending().await);
    for text in ["Postgres", "Search", "and SSO", "askwell"] {
        assert!(review.words().contains(text), "{}", review.words());
    }
    open.press(&Form::of(&review), "submit").await.leads_to();

    let expected = answered(&[
        answer("db", &["Postgres"], None),
        answer("feat", &["Search"], Some("and SSO")),
        answer("name", &[], Some("askwell")),
    ]);
    assert_eq!(open.outcome().await, expected);
}

#[tokio::test]
async fn b005_a_batch_with_open_questions_names_them_and_loses_nothing() {
    let mut open = Open::new(&r3()).await;

    // The custom row is chosen, and nothing is written in it.
    let form = open.card().await.option(0, 0).choose(1, "custom");
    let refused = open.press(&form, "submit").await;

    assert_eq!(refused.status, 422);
    assert!(open.is_pending().await);
    for place in ["#q1", "#q2"] {
        assert!(refused.text.contains(&format!("href=\"{place}\"")), "{}", refused.text);
    }
    assert!(!refused.text.contains("href=\"#q0\""));
    assert!(refused.words().contains("Answer this question, or skip it."));
    let form = Form::of(&refused);
    assert_eq!(form.chosen(0), ["0"]);
    assert_eq!(open.drafts().await[0]["chosen"], json!(["Postgres"]));

    let form = form.option(1, 2).write(2, "x");
    let review = open.press(&form, "submit").await;
    open.press(&Form::of(&review), "submit").await.leads_to();
    let expected = answered(&[
        answer("db", &["Postgres"], None),
        answer("feat", &["Export"], None),
        answer("name", &[], Some("x")),
    ]);
    assert_eq!(open.outcome().await, expected);
}

#[tokio::test]
async fn b024_the_rest_is_skipped_after_one_confirmation() {
    let mut open = Open::new(&r3()).await;
    let form = open.card().await.write(2, "one remark for all of it");
    let form = Form::of(&open.press(&form, "submit").await);

    let asked = open.press(&form, "skip-rest").await;
    assert!(asked.words().contains("Skip 2 open questions?"), "{}", asked.words());
    assert_eq!(open.drafts().await[0]["skipped"], json!(false));
    let review = open.press(&Form::of(&asked), "skip-rest-yes").await;
    assert!(open.is_pending().await);
    open.press(&Form::of(&review), "submit").await.leads_to();

    let expected = answered(&[
        answer("db", &[], None),
        answer("feat", &[], None),
        answer("name", &[], Some("one remark for all of it")),
    ]);
    assert_eq!(open.outcome().await, expected);
}

#[tokio::test]
async fn from_the_review_one_goes_back_to_a_question() {
    let mut open = Open::new(&r3()).await;
    let form = open.card().await.option(0, 0).option(1, 0).write(2, "x");
    let review = Form::of(&open.press(&form, "submit").await);

    let place = open.press(&review, "edit-1").await.leads_to().to_owned();

    assert_eq!(place, format!("/r/{}#q1", open.id));
    let form = open.card().await;
    assert_eq!((form.chosen(0), form.chosen(1), form.text("q2.text")), (vec!["0"], vec!["0"], "x"));
}

#[tokio::test]
async fn b014_an_option_named_like_our_own_row_is_an_ordinary_one() {
    let options = json!([{"label": "Formal"}, {"label": "Other"}, {"label": "custom"}]);
    let request = json!({"questions": [{"id": "t", "question": "Tone?", "options": options}]});
    let mut open = Open::new(&request).await;

    let form = open.card().await.option(0, 2);
    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("t", &["custom"], None)]));
}

#[tokio::test]
async fn a_label_that_looks_like_another_one_is_remarked_on_and_described_so() {
    let options = json!([
        {"label": "paypal.com"},
        {"label": "other.com"},
        {"label": "p\u{430}ypal.com", "description": "the bank"},
    ]);
    let request = json!({"questions": [{"id": "t", "question": "Where?", "options": options}]});
    let mut open = Open::new(&request).await;

    let page = open.page().await;

    let remark = "<span class=\"alike\" id=\"q0-a2\">looks like option 1</span>";
    assert!(page.text.contains(remark), "{}", page.text);
    assert!(page.text.contains("aria-describedby=\"q0-a2 q0-d2\""), "{}", page.text);
    assert_eq!(page.text.matches("class=\"alike\"").count(), 1);
}

#[tokio::test]
async fn b015_two_questions_of_the_same_words_are_two_answers() {
    let options = json!([{"label": "Yes"}, {"label": "No"}]);
    let question = |id: &str| json!({"id": id, "question": "Keep?", "options": options});
    let mut open = Open::new(&json!({"questions": [question("a"), question("b")]})).await;

    let form = open.card().await.option(0, 0).option(1, 1);
    let review = open.press(&form, "submit").await;
    open.press(&Form::of(&review), "submit").await.leads_to();

    let expected = answered(&[answer("a", &["Yes"], None), answer("b", &["No"], None)]);
    assert_eq!(open.outcome().await, expected);
}

#[tokio::test]
async fn b025_a_question_without_own_words_has_no_row_for_them() {
    let mut request = r1();
    request["questions"][0]["allowCustom"] = json!(false);
    let mut open = Open::new(&request).await;
    let form = open.card().await;
    assert!(!form.has("q0.text"));

    // Sent all the same, by whatever means, it is no answer and changes nothing.
    let mut fields = form.option(0, 0).posted("submit");
    fields.push(("q0.text".to_owned(), "crafted".to_owned()));
    open.post(&fields).await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &["Postgres"], None)]));
}

#[tokio::test]
async fn b013_two_choices_of_one_radio_group_are_refused_or_one() {
    let mut open = Open::new(&r1()).await;
    let mut fields = open.card().await.option(0, 0).posted("submit");
    fields.push(("q0.chosen".to_owned(), "1".to_owned()));
    fields.push(("q0.chosen".to_owned(), "99".to_owned()));

    open.post(&fields).await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &["Postgres"], None)]));
}

#[tokio::test]
async fn the_suffix_of_a_recommendation_is_a_badge_and_stays_in_the_value() {
    let options = json!([{"label": "Postgres (Recommended)"}, {"label": "数据库（推荐）"}]);
    let request = json!({"questions": [{"id": "db", "question": "Which?", "options": options}]});
    let mut open = Open::new(&request).await;
    let page = open.page().await;
    assert_eq!(page.text.matches("<span class=\"badge\"").count(), 2);
    assert!(!page.words().contains("(Recommended)"));
    assert!(page.text.contains("data-label=\"Postgres (Recommended)\""));
    let form = Form::of(&page);
    assert_eq!(form.chosen(0), [""; 0]);

    let form = form.option(0, 1);
    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &["数据库（推荐）"], None)]));
}

#[tokio::test]
async fn b099_labels_come_back_byte_for_byte_whatever_is_in_them() {
    let labels = ["„DB“ ‘x’ «y»", "a\u{2028}b", "c:\\d \"e\"", "f\r\ng", "h\u{0}i", "", " j "];
    let labels = labels.into_iter().filter(|label| !label.is_empty());
    let options: Vec<_> = labels.clone().map(|label| json!({"label": label})).collect();
    let question =
        json!({"id": "x", "question": "Which?", "multiSelect": true, "options": options});
    let mut open = Open::new(&json!({"questions": [question]})).await;

    let mut form = open.card().await;
    for place in 0..options.len() {
        form = form.option(0, place);
    }
    open.press(&form, "submit").await.leads_to();

    let labels: Vec<&str> = labels.collect();
    assert_eq!(open.outcome().await, answered(&[answer("x", &labels, None)]));
}

#[tokio::test]
async fn b105_many_questions_and_options_are_answered_exactly() {
    let options = |count: usize| -> Vec<_> {
        (0..count).map(|place| json!({"label": format!("option {place}")})).collect()
    };
    let mut questions: Vec<_> = (0..20)
        .map(
            |index| json!({"id": format!("q{index}"), "question": "Which?", "options": options(4)}),
        )
        .collect();
    questions.push(json!({"id": "many", "question": "Which?", "multiSelect": true,
        "options": options(500)}));
    let mut open = Open::new(&json!({"questions": questions})).await;

    let mut form = open.card().await.option(20, 0).option(20, 499);
    for index in 0..20 {
        form = form.option(index, index % 4);
    }
    let review = open.press(&form, "submit").await;
    open.press(&Form::of(&review), "submit").await.leads_to();

    let mut expected: Vec<_> = (0..20)
        .map(|index| answer(&format!("q{index}"), &[&format!("option {}", index % 4)], None))
        .collect();
    expected.push(answer("many", &["option 0", "option 499"], None));
    assert_eq!(open.outcome().await, answered(&expected));
}

#[tokio::test]
async fn b115_after_a_submit_the_next_request_opens_and_each_asker_gets_its_own() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let (older, newer) = (ask(&host, &r1()).await, ask(&host, &r2()).await);

    let form = browser.card(&newer).await.option(0, 0);
    let place = browser.press(&form, "submit").await.leads_to().to_owned();
    assert_eq!(place, format!("/r/{older}?sent={newer}"));
    let page = browser.get(&place).await;
    assert!(page.words().starts_with("Sent to\nasker\n."), "{}", page.words());
    let form = Form::of(&page).option(0, 2);
    let place = browser.press(&form, "submit").await.leads_to().to_owned();

    assert_eq!(place, format!("/?sent={older}"));
    assert!(browser.get(&place).await.words().contains("Nothing waits for you"));
    for (id, expected) in
        [(&newer, answer("feat", &["Auth"], None)), (&older, answer("db", &["DuckDB"], None))]
    {
        let view = host.asker.get(&format!("/api/v1/requests/{id}")).await.ok();
        assert_eq!(view["outcome"], answered(&[expected]));
        assert_eq!(view["receipt"]["provider"], "web");
    }
}

#[tokio::test]
async fn a_link_can_not_make_us_say_that_something_was_sent() {
    let mut open = Open::new(&r1()).await;

    let page = open.browser.get(&format!("/?sent={}&dismissed={0}", open.id)).await;

    assert!(!page.words().contains("Sent to") && !page.words().contains("Cancelled"));
}

#[tokio::test]
async fn b111_a_second_request_of_equal_ids_keeps_its_answers_to_itself() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.option(0, 2);
    let newer = ask(&open.host, &r1()).await;

    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &["DuckDB"], None)]));
    assert_eq!(open.host.asker.state(&format!("/api/v1/requests/{newer}")).await, "pending");
}

#[tokio::test]
async fn b144_questions_are_told_apart_whatever_their_ids_are() {
    let ids =
        ["db", "db_custom", "db.custom", "q0.text", "__proto__", "a \"b\" <c>", "选择", "d\r\ne"];
    let questions: Vec<_> =
        ids.iter().map(|id| json!({"id": id, "question": format!("What of {id}?")})).collect();
    let mut open = Open::new(&json!({"questions": questions})).await;

    let mut form = open.card().await;
    for (index, id) in ids.iter().enumerate() {
        form = form.write(index, &format!("of {id}"));
    }
    let review = open.press(&form, "submit").await;
    open.press(&Form::of(&review), "submit").await.leads_to();

    let text = |id: &str| format!("of {id}").replace("\r\n", "\n");
    let expected: Vec<_> = ids.iter().map(|id| answer(id, &[], Some(&text(id)))).collect();
    assert_eq!(open.outcome().await, answered(&expected));
}

#[tokio::test]
async fn b103_a_long_header_is_there_whole() {
    for length in [40, 300] {
        let header = "h".repeat(length);
        let mut request = r1();
        request["questions"][0]["header"] = header.as_str().into();
        let mut open = Open::new(&request).await;

        assert!(open.page().await.words().lines().any(|line| line == header), "{length}");
    }
}

#[tokio::test]
async fn b091_each_question_is_a_group_with_its_question_as_name_and_its_detail_beside() {
    let mut request = r3();
    request["questions"][0]["header"] = "Store".into();
    request["questions"][0]["detail"] = "For the *nightly* job.".into();
    let mut open = Open::new(&request).await;

    let page = open.page().await;

    assert_eq!(page.text.matches("<fieldset").count(), 3);
    let legends: Vec<String> = page
        .text
        .split("<legend")
        .skip(1)
        .map(|rest| {
            let legend = rest.split_once('>').unwrap().1.split_once("</legend>").unwrap().0;
            legend.replace("<span dir=\"auto\">", "").replace("</span>", "")
        })
        .collect();
    assert_eq!(
        legends,
        [
            "Store: Which database? Choose one, or write your own.",
            "Which features? Choose any, and add your own.",
            "Project name? Write your answer.",
        ]
    );
    assert!(page.text.contains("aria-describedby=\"detail-0 kept-0 error-0\""));
    assert!(page.text.contains("id=\"detail-0\"") && page.text.contains("id=\"error-0\""));
}
