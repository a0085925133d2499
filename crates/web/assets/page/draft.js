// The draft at the host: what was entered here is saved to it, what was entered elsewhere is shown.
//
// Invariants: a text that was written is in the field, at the host or in this browser's storage; a
// field that has the focus or unsaved edits is never written from elsewhere.

import {
  PERSON,
  all,
  applyState,
  button,
  controls,
  isBlank,
  make,
  one,
  readState,
  recall,
  refresh,
  remember,
  remembered,
  text,
  wrote,
} from "./dom.js";
import { call, pause, Unreachable } from "./live.js";

/** @typedef {import("./dom.js").State} State */
/** @typedef {State & {revision: number, kept?: {text: string}[]}} Entry */

/**
 * @typedef {object} Question
 * @property {HTMLElement} section
 * @property {number} base the revision that is edited here
 * @property {string} host what the host has, as far as this page knows
 * @property {string} sent what is on its way to the host
 * @property {Entry | null} elsewhere what another screen saved and this one does not show
 * @property {boolean} gives whether that is to be shown once the text here is kept
 * @property {string} refused what the host does not take, as it stands
 */

/** @param {State} state */
const key = ({ chosen, custom, customOn, skipped }) =>
  JSON.stringify([chosen, custom, customOn, skipped]);

/** How soon an edit is sent, and how much of one call may outlive the page (browsers: 64 KiB). */
const DELAY = 300;
const OUTLIVES = 60_000;
const MONTH = 30 * 24 * 3600 * 1000;

/** Names what this page holds back for the host: pages of the same request don't mix. */
const PAGE = Math.random().toString(36).slice(2, 10);

/** The draft of the request on this page. */
export class Draft {
  /** @type {Question[]} */
  #questions;
  #form;
  #request;
  /** The revision of the whole draft that this page knows, and the newest it heard of. */
  #revision;
  #heard = 0;
  #isLooking = false;
  /** Calls to the host, one after the other. @type {Promise<unknown>} */
  #calls = Promise.resolve();
  /** @type {number | undefined} */
  #timer;
  #failures = 0;
  /** Whether a write was cut: it may be at the host or not. */
  #isUncertain = false;
  #isOver = false;
  /** Another screen has saved something since the last look. */
  #isBehind = false;
  /** Whether a pointer is down: what is pressed is what was seen. */
  #isPressed = false;
  /** Storage that the host has now once this page's edits are saved. @type {string[]} */
  #adopted = [];
  /** What this browser held back and is no newer than what the host has: to be kept there beside it.
   * @type {(State & {base: number})[]} */
  #older = [];

  /** A question stands otherwise than before. @type {(section: HTMLElement) => void} */
  onchange = () => {};
  /** What is shown was taken over from another screen. */
  ontook = () => {};
  /** The request has ended. */
  onended = () => {};

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.#form = form;
    this.#request = form.dataset.request ?? "";
    this.#revision = Number(form.dataset.revision ?? 0);
    this.#questions = all(form, "section[data-question]").map((section) => {
      const host = key(readState(section, true));
      const edited = { base: Number(baseOf(section)?.value ?? 0), host, sent: "" };
      return { section, ...edited, elsewhere: null, gives: false, refused: "" };
    });
    for (const { section } of this.#questions) {
      refresh(section);
      // Typed before this script ran.
      if (wrote(section)) this.edited(section);
      for (const list of all(section, "[data-kept-texts]")) {
        this.#showKept(section, all(list, ".kept-text"));
      }
    }
    this.#adopt();
    // Where the question was left, what came from elsewhere meanwhile may be shown.
    form.addEventListener("focusout", () => setTimeout(() => this.#showElsewhere()));
    addEventListener("pointerdown", () => (this.#isPressed = true), true);
    for (const end of ["click", "pointercancel", "pointerup"]) {
      const released = () => {
        this.#isPressed = false;
        this.#showElsewhere();
      };
      // The click comes after the button is up.
      addEventListener(end, () => setTimeout(released, end === "pointerup" ? 50 : 0), true);
    }
  }

  /** The state of each question, in order. */
  states() {
    return this.#questions.map(({ section }) => readState(section));
  }

  /** Whether anything is entered anywhere. */
  isTouched() {
    return this.states().some(
      ({ chosen, custom, skipped }) => chosen.length > 0 || custom !== "" || skipped,
    );
  }

  /** Something was entered. @param {HTMLElement} section */
  edited(section) {
    refresh(section);
    this.onchange(section);
    if (this.#failures > 0) this.#holdBack();
    this.#timer ??= setTimeout(() => this.save(), DELAY);
  }

  /** The questions that hold something the host has not. */
  #unsaved() {
    return this.#questions.filter(({ section, host }) => key(readState(section)) !== host);
  }

  /** Saves what is unsaved, now. */
  save() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#next(() => this.#write());
  }

  /** Reads what other screens of the person saved, unless this revision is known here. */
  look(revision = Infinity) {
    this.#heard = Math.max(this.#heard, revision);
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#next(async () => {
      const heard = this.#heard;
      [this.#heard, this.#isLooking] = [0, false];
      if (heard > this.#revision) await this.#read();
    });
  }

  /** The host is there (again). */
  retry() {
    if (this.#failures > 0 || this.#isUncertain) void this.save();
  }

  /** The page is left: what is not saved goes on its way, and stays here until it is. */
  leave() {
    const unsaved = this.#isOver ? [] : this.#unsaved();
    this.#holdBack();
    let room = OUTLIVES;
    const put = (/** @type {Question[]} */ of, /** @type {number} */ further) => {
      const questions = of
        .map(({ section, base }) => ({ ...readState(section), base: base + further }))
        .filter((write) => {
          room -= new TextEncoder().encode(JSON.stringify(write)).length;
          return room > 0;
        });
      if (questions.length > 0) call("PUT", this.#path(), { questions }, true).catch(() => {});
    };
    put(unsaved, 0);
    // An earlier state of these is on its way, and may be there before: then this is the next one.
    put(
      unsaved.filter(({ sent }) => sent !== ""),
      1,
    );
  }

  /** The answer is there, or the request has ended: nothing is saved any more. @param {boolean} isSent */
  close(isSent) {
    this.#isOver = true;
    clearTimeout(this.#timer);
    // What the host has not stays in this browser.
    if (isSent || this.#unsaved().length === 0) this.#forget();
  }

  #path() {
    return `/requests/${this.#request}/draft`;
  }

  /** @param {() => Promise<void>} step */
  #next(step) {
    this.#calls = this.#calls
      .catch(() => {})
      .then(async () => {
        if (this.#isOver) return;
        try {
          await step();
          this.#failures = 0;
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error;
          this.#failed(text(error.message || "waits"));
          this.#isUncertain = true;
          clearTimeout(this.#timer);
          this.#timer = setTimeout(() => this.save(), pause(this.#failures++, 10_000));
        }
      });
    return this.#calls;
  }

  async #write() {
    if (this.#isUncertain) {
      await this.#read();
      this.#isUncertain = false;
    }
    for (let older = this.#older[0]; older; older = this.#older[0]) {
      const { saved, isOver } = await this.#put([older]);
      // What the host does not take stays in this browser.
      if (!saved && !isOver) this.#adopted = [];
      this.#older.shift();
      await this.#read();
    }
    // Again on the new base for what was edited on an old one: this screen shows it.
    for (let round = 0; round < 3; round += 1) {
      const writes = this.#unsaved()
        .map((question) => ({ question, state: readState(question.section) }))
        .filter(({ question, state }) => question.refused !== key(state));
      if (writes.length === 0 || this.#isOver) break;
      await this.#send(writes);
    }
    if (this.#isOver) return;
    if (this.#isBehind) this.look();
    this.#isBehind = false;
    if (this.#unsaved().length > 0) return;
    this.#tell(text("saved"), "saved");
    this.#forget();
  }

  /** @param {{question: Question, state: State}[]} writes @returns {Promise<void>} */
  async #send(writes) {
    for (const { question, state } of writes) question.sent = key(state);
    const { saved, why, isOver } = await this.#put(
      writes.map(({ question, state }) => ({ ...state, base: question.base })),
    );
    if (saved) {
      this.#isBehind ||= saved.revision > this.#revision + 1;
      this.#revision = saved.revision;
      writes.forEach(({ question, state }, place) =>
        this.#written(question, state, saved.questions[place]),
      );
    }
    if (isOver) return this.#ended();
    if (saved) return;
    for (const { question } of writes) question.sent = "";
    // One that can't be saved keeps no other from it.
    if (writes.length > 1) for (const write of writes) await this.#send([write]);
    else for (const write of writes) await this.#refused(write, why);
  }

  /**
   * @param {(State & {base: number})[]} questions
   * @returns {Promise<{saved?: any, why?: any, isOver: boolean}>}
   */
  async #put(questions) {
    const { status, body } = await call("PUT", this.#path(), { questions });
    if (status === 401 || status === 403) throw new Unreachable("signed-out");
    const isOver = status === 404 || (status === 409 && body.code === "NOT_PENDING");
    return { saved: status === 200 ? body : body.draft, why: body, isOver };
  }

  /** @param {{question: Question, state: State}} write @param {any} why */
  async #refused({ question, state }, why) {
    /** @type {{path: string}[]} */
    const faults = why.faults ?? [];
    if (faults.some(({ path }) => path.endsWith(".kept"))) {
      // No room for more texts beside it: what is shown here is written on what is there.
      await this.#read();
      if (question.elsewhere) rebase(question, question.elsewhere.revision);
      return;
    }
    question.refused = key(state);
    this.#failed(why.code === "LIMIT_EXCEEDED" ? text("too-long") : text("not-saved"));
  }

  /** @param {Question} question @param {State} state @param {Entry & {result: string}} entry */
  #written(question, state, entry) {
    const { section, gives } = question;
    const isSaved = entry.result === "saved";
    // What was entered since stands above what was to be taken.
    const isSame = key(readState(section)) === key(state);
    const takes = !isSaved && gives && isSame;
    if (takes) applyState(section, entry);
    else if (!isSaved && !gives) this.#merge(question, entry);
    const host = isSaved ? key(state) : key(entry);
    const elsewhere = !isSaved && gives && !isSame ? entry : null;
    Object.assign(question, { base: entry.revision, host, sent: "", elsewhere, gives: false });
    this.#noteElsewhere(question);
    this.#showKept(section, entry.kept ?? []);
    if (!isSaved) this.onchange(section);
  }

  /** Ticks of two screens both stand, as `merge` of the core has it. @param {Question} question @param {Entry} theirs */
  #merge({ section, host }, theirs) {
    const { isMulti, field } = controls(section);
    if (!isMulti) return;
    const [before, custom, customOn] = JSON.parse(host);
    const mine = readState(section);
    const stands = (/** @type {string} */ label) =>
      mine.chosen.includes(label) === before.includes(label)
        ? theirs.chosen.includes(label)
        : mine.chosen.includes(label);
    const either = new Set([...mine.chosen, ...theirs.chosen]);
    const wrote = mine.custom !== custom || mine.customOn !== customOn;
    const words = wrote || field === document.activeElement ? mine : theirs;
    applyState(section, {
      ...mine,
      chosen: [...either].filter(stands),
      custom: words.custom,
      customOn: words.customOn,
    });
  }

  #ended() {
    if (!this.#isOver) this.onended();
  }

  async #read() {
    const { status, body } = await call("GET", this.#path());
    if (status !== 200) return;
    this.#revision = body.revision;
    /** @type {Entry[]} */
    const entries = body.questions;
    entries.forEach((entry, place) => {
      const question = this.#questions[place];
      if (!question) return;
      this.#showKept(question.section, entry.kept ?? []);
      if (entry.revision === question.base) return;
      if ([key(readState(question.section)), question.sent].includes(key(entry))) {
        // The same is shown here, or a write of ours arrived and its reply did not.
        rebase(question, entry.revision);
        question.host = key(entry);
      } else {
        question.elsewhere = entry;
      }
    });
    this.#showElsewhere();
  }

  /** Shows what came from elsewhere, where nobody is writing. */
  #showElsewhere() {
    if (this.#isPressed) return;
    for (const question of this.#questions) {
      const { section, elsewhere, host } = question;
      if (!elsewhere) continue;
      const shown = readState(section);
      const isWriting =
        document.activeElement === controls(section).field && shown.custom !== elsewhere.custom;
      if (key(shown) === host && !isWriting) this.#take(question, elsewhere);
      else this.#noteElsewhere(question);
    }
  }

  /** @param {Question} question @param {Entry} entry */
  #take(question, entry) {
    applyState(question.section, entry);
    rebase(question, entry.revision);
    question.host = key(readState(question.section));
    question.elsewhere = null;
    this.#noteElsewhere(question);
    this.onchange(question.section);
    this.ontook();
    this.#tell(text("elsewhere"), "saved");
  }

  /** Says that another screen wrote here as well, and lets the person take that. @param {Question} question */
  #noteElsewhere(question) {
    const { section, elsewhere } = question;
    const note = one(section, ".elsewhere", HTMLElement);
    if (!elsewhere) return note?.remove();
    if (note) return;
    const take = button(
      text("take-other"),
      "take-theirs",
      () => {
        const { elsewhere: entry, host } = question;
        if (!entry) return;
        if (key(readState(section)) === host) return this.#take(question, entry);
        // Sent on its old base once more, the text here is kept at the host; then theirs is shown.
        question.gives = true;
        void this.save();
      },
      "quiet",
    );
    section.append(make("p", { class: "elsewhere", role: "status" }, text("other"), " ", take));
  }

  /**
   * Texts that lost against another screen, each to be copied or put into the field.
   * @param {HTMLElement} section
   * @param {(HTMLElement | {text: string})[]} kept
   */
  #showKept(section, kept) {
    const texts = kept.map((it) => (it instanceof HTMLElement ? (it.textContent ?? "") : it.text));
    const before = one(section, "[data-kept-texts]", HTMLElement);
    // What another screen shows now is offered as such.
    const elsewhere = this.#questions?.find((it) => it.section === section)?.elsewhere;
    if (texts.length === 1 && texts[0] === elsewhere?.custom) return;
    if (texts.length === 0 || texts.join("\0") === before?.dataset.texts) return;
    const { field } = controls(section);
    const items = texts.map((written) => {
      const insert = button(
        text("insert"),
        "insert-kept",
        () => {
          if (!field) return;
          field.value = isBlank(field.value) ? written : `${field.value}\n${written}`;
          field.dispatchEvent(new Event("input", { bubbles: true }));
          field.focus();
        },
        "quiet",
      );
      return make(
        "li",
        {},
        make("p", { class: "kept-text", dir: "auto" }, written),
        ...(field ? [insert] : []),
      );
    });
    const list = make(
      "details",
      { class: "kept-texts", "data-kept-texts": true },
      make(
        "summary",
        {},
        text(texts.length === 1 ? "kept-elsewhere-1" : "kept-elsewhere", { count: texts.length }),
      ),
      make("ul", {}, ...items),
    );
    list.dataset.texts = texts.join("\0");
    if (before instanceof HTMLDetailsElement) list.open = before.open;
    if (before) before.replaceWith(list);
    else section.append(list);
  }

  /** @param {string} words @param {string} state */
  #tell(words, state) {
    const status = one(this.#form, "[data-status]", HTMLElement);
    if (!status || status.textContent === words) return;
    status.textContent = words;
    status.dataset.state = state;
  }

  /** @param {string} words */
  #failed(words) {
    this.#tell(this.#holdBack() ? words : text("keep-open"), "failing");
  }

  /** Keeps what the host has not in this browser. */
  #holdBack() {
    const unsaved = this.#isOver ? [] : this.#unsaved();
    if (unsaved.length === 0) return true;
    const questions = unsaved.map(({ section, base }) => ({ ...readState(section), base }));
    return remember(this.#held(), JSON.stringify({ at: Date.now(), questions }));
  }

  #held() {
    return `draft.${PERSON}.${this.#request}.${PAGE}`;
  }

  #forget() {
    const adopted = this.#older.length === 0 ? this.#adopted.splice(0) : [];
    for (const name of [this.#held(), ...adopted]) remember(name, null);
  }

  /** Takes up what this browser held back for this request. What is no newer than the host's is sent
   * as it was, so that the host keeps its text beside the draft. */
  #adopt() {
    for (const { name, questions } of heldBack(this.#request)) {
      this.#adopted.push(name);
      for (const { base, ...state } of questions) {
        const question = this.#questions.find(({ section }) => readState(section).id === state.id);
        const shown = question && key(readState(question.section));
        if (!question || key(state) === shown) continue;
        if (base === question.base && shown === question.host) applyState(question.section, state);
        else this.#older.push({ ...state, base });
      }
    }
    if (this.#adopted.length > 0) void this.save();
  }
}

/** @param {HTMLElement} section */
const baseOf = (section) => one(section, "input[name$='.base']", HTMLInputElement);

/** The revision on which a question is edited, also for the form where it is posted. @param {Question} question @param {number} revision */
function rebase(question, revision) {
  question.base = revision;
  const input = baseOf(question.section);
  if (input) input.value = `${revision}`;
}

/**
 * What this browser holds back for a request, or for all.
 * @param {string} [request]
 * @returns {{name: string, request: string, at: number, questions: (State & {base: number})[]}[]}
 */
export function heldBack(request = "") {
  return remembered(`draft.${PERSON}.${request}`).flatMap((name) => {
    try {
      const { at, questions } = JSON.parse(recall(name) ?? "");
      return [{ name, request: name.split(".")[2] ?? "", at, questions: [...questions] }];
    } catch {
      return [];
    }
  });
}

/**
 * Sends what was held back for other requests than the one on this page, and for this one where it
 * has ended. Returns the texts for this one.
 * @param {string} request
 * @param {boolean} hasEnded
 */
export async function sendHeldBack(request, hasEnded) {
  const texts = [];
  for (const { name, request: other, at, questions } of heldBack()) {
    if (other === request && !hasEnded) continue;
    if (other === request) texts.push(...questions.map(({ custom }) => custom));
    const sent = await call("PUT", `/requests/${other}/draft`, { questions }).catch(() => null);
    const isThere =
      sent !== null && (sent.status === 200 || sent.body.draft);
    if (isThere || Date.now() - at > MONTH) remember(name, null);
  }
  return texts.filter((written) => !isBlank(written));
}
