// The talk with the host: calls, parts of its pages, and the one stream of events that all tabs
// share; and what the events do to the page around the card.

import { tellTime } from "./clock.js";
import { announce, button, make, one, recall, remember, text } from "./dom.js";

/** The host did not answer, or can't do its work at the moment. The message is a key of the texts. */
export class Unreachable extends Error {}

/** There is nothing (any more) at this address. */
export class Gone extends Error {}

const PATIENCE = 15_000;
/** The host gives a sign of life every 15 seconds. */
const SILENCE = 45_000;
/** The name of programs of this user, and of a person whose account has none: it tells nothing. */
const LOCAL = "local";

/**
 * Calls the host's API.
 * @param {string} method
 * @param {string} path below `/api/v1`
 * @param {unknown} [body]
 * @param {boolean} [keepalive] the call outlives the page
 * @returns {Promise<{status: number, body: any}>}
 */
export async function call(method, path, body, keepalive = false) {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      keepalive,
      ...(method === "GET"
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) }),
      ...(keepalive ? {} : { signal: AbortSignal.timeout(PATIENCE) }),
    });
    if (response.status >= 500 || response.status === 429) throw new Unreachable();
    return { status: response.status, body: await response.json() };
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable();
  }
}

/**
 * A part of a page of the host.
 * @param {string} address
 * @returns {Promise<DocumentFragment>}
 */
export async function part(address) {
  const asked = { signal: AbortSignal.timeout(PATIENCE) };
  const response = await fetch(address, asked).catch(() => null);
  if (response?.status === 404) throw new Gone();
  if (!response?.ok) throw new Unreachable();
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  return template.content;
}

/** How long to wait before try number `count`: twice as long each time, never all at once. */
export function pause(/** @type {number} */ count, most = 20_000) {
  return Math.min(most, 500 * 2 ** count) * (0.5 + Math.random() / 2);
}

/** @typedef {"requested" | "resolved" | "draft" | "changed" | "resync"} Kind */

/** @type {Kind[]} */
const KINDS = ["requested", "resolved", "draft", "changed", "resync"];
const TICK = 5_000;

/**
 * The stream of events. One tab holds it, behind a lock, and tells the others what it hears; a tab
 * that can't share has its own. It resumes where it was, so that nothing is told twice or missed.
 */
export class Stream {
  /** The last event that this page knows. */
  #last = document.body.dataset.eventId ?? "";
  /** @type {EventSource | null} */
  #source = null;
  #channel =
    "BroadcastChannel" in window && "locks" in navigator ? new BroadcastChannel("askwell") : null;
  #isLeader = false;
  #isUp = true;
  #tries = 0;
  #ticked = Date.now();
  #heard = Date.now();
  /** When the stream gave its last sign of life. */
  #alive = Date.now();
  /** @type {number | undefined} */
  #retry;
  /** @type {number | undefined} */
  #doubt;

  /** @type {(kind: Kind, data: any) => void} */
  onevent = () => {};
  /** The host is there; what has no place in the log may have been missed. */
  onup = () => {};
  /** Events may have been missed. */
  onmissed = () => {};
  /** The host can't be reached. */
  ondown = () => {};
  /** Another tab is looked at. */
  onseen = () => {};

  start() {
    if (this.#channel) {
      this.#channel.onmessage = ({ data }) => this.#told(data);
      this.#queue({});
      this.#say({ type: "hello" });
    } else {
      this.#lead();
    }
    setInterval(() => this.#tick(), TICK);
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.#isLeader && this.#down());
    document.addEventListener("visibilitychange", () => !document.hidden && this.#wake());
  }

  /** Tells the other tabs that this one is looked at. */
  tellSeen() {
    this.#say({ type: "seen" });
  }

  /** Tries at once. */
  again() {
    if (this.#isLeader) this.#open();
    else this.#say({ type: "again" });
  }

  /** @param {LockOptions} options */
  #queue(options) {
    const held = navigator.locks.request("askwell-stream", options, () => {
      this.#lead();
      return new Promise(() => {});
    });
    held.catch(() => {
      const wasHeld = this.#isLeader;
      this.#isLeader = false;
      this.#source?.close();
      // Another tab took it over, since this one seemed asleep.
      if (wasHeld) this.#queue({});
      // This browser shares nothing, or the page is on its way out: asked again it would refuse again, at
      // once and without end.
      else setTimeout(() => this.#lead());
    });
  }

  #lead() {
    clearTimeout(this.#doubt);
    this.#isLeader = true;
    this.#open();
  }

  #open() {
    clearTimeout(this.#retry);
    this.#source?.close();
    const after = this.#last && `&after=${encodeURIComponent(this.#last)}`;
    const source = new EventSource(`/api/v1/events?alive=true${after}`);
    this.#source = source;
    this.#alive = Date.now();
    source.addEventListener("alive", () => (this.#alive = Date.now()));
    source.onopen = () => {
      this.#tries = 0;
      // A page that was just served has nothing to catch up with.
      this.#up(performance.now() > 3_000);
      this.#say({ type: "here", last: this.#last, isUp: true, isNew: true });
    };
    source.onerror = () => {
      if (this.#source !== source) return;
      source.close();
      this.#down();
      this.#retry = setTimeout(() => this.#open(), pause(this.#tries++));
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => {
        this.#alive = Date.now();
        const told = { type: "event", kind, data: JSON.parse(event.data) };
        this.#say(told);
        this.#told(told);
      });
    }
  }

  /** @param {Record<string, any>} message */
  #say(message) {
    this.#channel?.postMessage(message);
  }

  /** @param {any} message */
  #told({ type, kind, data, last, isUp, isNew = false }) {
    this.#heard = Date.now();
    if (type === "event") {
      if (data.id !== undefined) {
        if (kind !== "resync" && !isAfter(data.id, this.#last)) return;
        this.#last = data.id;
      }
      this.onevent(kind, data);
    } else if (type === "hello" && this.#isLeader) {
      this.#say({ type: "here", last: this.#last, isUp: this.#isUp });
    } else if (type === "here" && !this.#isLeader) {
      clearTimeout(this.#doubt);
      const hasMissed = this.#last !== last;
      this.#last = last;
      if (isUp) this.#up(isNew);
      else this.#down();
      if (hasMissed) this.onevent("resync", {});
    } else if (type === "again" && this.#isLeader) {
      this.#open();
    } else if (type === "seen") {
      this.onseen();
    }
  }

  /** @param {boolean} mayHaveMissed */
  #up(mayHaveMissed) {
    const wasUp = this.#isUp;
    this.#isUp = true;
    if (!wasUp || mayHaveMissed) this.onup();
  }

  #down() {
    if (this.#isLeader) this.#say({ type: "here", last: this.#last, isUp: false });
    this.#isUp = false;
    this.ondown();
  }

  /** Time that is missing was slept through: the stream may be dead and not know it. */
  #tick() {
    const slept = Date.now() - this.#ticked;
    this.#ticked = Date.now();
    const isSilent = this.#isUp && Date.now() - this.#alive > (document.hidden ? 150_000 : SILENCE);
    if (this.#isLeader && isSilent) {
      // Something between us holds it back: what was missed is read by other ways.
      this.#down();
      this.#open();
      this.onmissed();
    } else if (this.#isLeader && slept > (document.hidden ? 150_000 : 6 * TICK)) this.#open();
    else if (!this.#isLeader && !document.hidden && Date.now() - this.#heard > 4 * TICK)
      this.#wake();
  }

  #wake() {
    if (this.#isLeader) {
      if (!this.#isUp || Date.now() - this.#heard > 60_000) this.#open();
      return;
    }
    this.#say({ type: "hello" });
    clearTimeout(this.#doubt);
    this.#doubt = setTimeout(() => !this.#isLeader && this.#queue({ steal: true }), 3_000);
  }
}

/** @param {string} id @param {string} last */
function isAfter(id, last) {
  const [epoch, number] = id.split("-");
  const [lastEpoch, lastNumber] = last.split("-");
  return epoch !== lastEpoch || Number(number) > Number(lastNumber);
}

/**
 * Makes `old` hold what `fresh` holds, with as few changes as there are differences: what has the
 * focus keeps it.
 * @param {Element} old
 * @param {ParentNode & Node} fresh
 */
function morph(old, fresh) {
  // A row of a list goes by the request that it leads to.
  const name = (/** @type {Node} */ node) => {
    if (!(node instanceof Element)) return "";
    const named = node.matches("li") ? node.querySelector("[data-request]") : node;
    return named?.getAttribute("data-request") ?? "";
  };
  const stays = new Set([...fresh.childNodes].map(name));
  /** @type {Map<string, ChildNode>} */
  const known = new Map();
  for (const child of [...old.childNodes]) {
    if (name(child) === "") continue;
    if (stays.has(name(child))) known.set(name(child), child);
    else child.remove();
  }
  let at = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const isLike = at !== null && at.nodeName === node.nodeName && name(at) === "";
    const same = name(node) ? known.get(name(node)) : isLike ? at : undefined;
    if (!same) {
      old.insertBefore(node, at);
      continue;
    }
    if (same === at) at = at.nextSibling;
    else old.insertBefore(same, at);
    if (same.isEqualNode(node)) continue;
    if (same instanceof Element && node instanceof Element) {
      for (const { name } of [...same.attributes])
        if (!node.hasAttribute(name)) same.removeAttribute(name);
      for (const { name, value } of node.attributes)
        if (same.getAttribute(name) !== value) same.setAttribute(name, value);
      morph(same, node);
    } else {
      same.nodeValue = node.nodeValue;
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Below the strip: that the browser lets no notifications through. */
function sayWhyNot() {
  document.querySelector("[data-why-not]")?.remove();
  const close = button(text("close"), "close", () => banner.remove(), "quiet");
  const words = make("p", {}, text("notify-denied"));
  const look = { class: "banner", role: "status", "data-why-not": true };
  const banner = make("div", look, words, close);
  document.querySelector(".top")?.after(banner);
}

/** What the page needs to know of the request that it shows. */
export class Shown {
  /** The id of the request on this page; "" where there is none. */
  request = "";
  /** @type {(revision?: number) => void} */
  ondraft = () => {};
  /** It ended. */
  onended = () => {};
  /** @type {(change: {awaySince?: number, deadlineAt?: number, answering?: unknown}) => void} */
  onchanged = () => {};
  /** Others have begun to answer it, go on, or have left it. */
  onothers = () => {};
  /** The host is there: what waits here may go. */
  onup = () => {};
  /** The inbox was read again. */
  onlist = () => {};
}

/** The inbox beside the card, the title's count, the word that the host is away, notifications. */
export class Live {
  #shown;
  #stream = new Stream();
  #isReading = false;
  #isStale = false;
  #title = document.title.replace(/^\(\d+\) /, "");
  /** @type {number | undefined} */
  #absence;
  /** @type {Map<string, Notification>} */
  #notifications = new Map();
  #isSeen = false;

  /** @param {Shown} shown */
  constructor(shown) {
    this.#shown = shown;
    const stream = this.#stream;
    stream.onevent = (kind, data) => this.#event(kind, data);
    stream.onmissed = () => this.#event("resync", {});
    stream.onseen = () => (this.#isSeen = true);
    stream.ondown = () => (this.#absence ??= setTimeout(() => this.#lost(), 1_500));
    stream.onup = () => {
      clearTimeout(this.#absence);
      this.#absence = undefined;
      document.querySelector(".banner:not([data-why-not])")?.remove();
      void this.#list();
      shown.ondraft();
      shown.onup();
    };
    this.#count(document);
    stream.start();
    // Later, since a browser takes its time to say whether it lets any through.
    setTimeout(() => this.#offerNotices());
  }

  /** @param {Kind} kind @param {any} data */
  #event(kind, data) {
    const { request } = data;
    const isShown = this.#shown.request !== "" && (request?.id ?? request) === this.#shown.request;
    switch (kind) {
      case "requested":
        void this.#list();
        announce(text("new", { question: request.question }), "new");
        if (!document.hidden) this.#stream.tellSeen();
        void this.#notify(request);
        break;
      case "resolved":
        this.#notifications.get(request)?.close();
        if (isShown) this.#shown.onended();
        void this.#list();
        break;
      case "draft":
        if (isShown) this.#shown.ondraft(data.revision);
        break;
      case "changed":
        if (isShown) this.#shown.onchanged(data);
        if (request) void this.#list();
        break;
      default:
        void this.#list();
        void this.#check();
    }
  }

  /** Whether the request on this page still waits, after events that were missed. */
  async #check() {
    const { request } = this.#shown;
    if (!request) return;
    const now = await call("GET", `/requests/${request}`).catch(() => null);
    if (now && (now.status === 404 || now.body.state !== "pending")) return this.#shown.onended();
    if (now) this.#shown.onchanged(now.body);
    this.#shown.onothers();
    this.#shown.ondraft();
  }

  /** What the list tells is no longer so, though nothing has happened. */
  refresh() {
    void this.#list();
  }

  /** Reads the inbox again: at once, and while it is being read once more afterwards. */
  async #list() {
    const inbox = document.getElementById("inbox");
    this.#isStale = true;
    if (!inbox || this.#isReading) return;
    this.#isReading = true;
    let failures = 0;
    while (this.#isStale) {
      this.#isStale = false;
      const fresh = await part("/?part=list").catch(() => null);
      if (!fresh) {
        // What came would not be seen until the next event.
        this.#isStale = true;
        await new Promise((resume) => setTimeout(resume, pause(failures++)));
        continue;
      }
      failures = 0;
      const current = fresh.querySelector(`a[data-request="${CSS.escape(this.#shown.request)}"]`);
      current?.setAttribute("aria-current", "page");
      morph(inbox, fresh);
      tellTime(Number(one(inbox, "[data-now]", HTMLElement)?.dataset.now));
      this.#count(inbox);
      this.#shown.onlist();
      if (this.#isStale) await new Promise((resume) => setTimeout(resume, 100));
    }
    this.#isReading = false;
  }

  /** @param {ParentNode} within */
  #count(within) {
    const waiting = one(within, "[data-waiting]", HTMLElement);
    if (!waiting) return;
    const count = Number(waiting.dataset.waiting);
    document.title = count > 0 ? `(${count}) ${this.#title}` : this.#title;
    const words = one(document, "[data-waiting-count]", HTMLElement);
    if (words && words !== waiting) words.textContent = waiting.textContent;
  }

  /** Says that the host is away, or that it no longer knows this browser. */
  async #lost() {
    const known = await call("GET", "/requests?limit=1").catch(() => null);
    if (this.#absence === undefined) return;
    const words = text(known?.status === 401 ? "signed-out" : "host-away");
    const again = button(text("try-again"), "try-again", () => this.#stream.again(), "quiet");
    document.querySelector(".banner:not([data-why-not])")?.remove();
    const banner = make("div", { class: "banner", role: "status" }, make("p", {}, words), again);
    document.querySelector(".top")?.after(banner);
  }

  /** The control that asks for notifications: only a person's click brings the browser's question. */
  #offerNotices() {
    const control = one(document, "[data-act=notify]", HTMLButtonElement);
    if (!control || !("Notification" in window) || Notification.permission === "denied") return;
    const show = () => control.setAttribute("aria-pressed", `${this.#mayNotify()}`);
    control.hidden = false;
    control.addEventListener("click", async () => {
      const isWanted = !this.#mayNotify();
      const isOn = isWanted && (await Notification.requestPermission()) === "granted";
      remember("notify", isOn ? "on" : null);
      control.hidden = Notification.permission === "denied";
      if (isWanted && !isOn) sayWhyNot();
      else announce(text(isOn ? "notify-on" : "notify-off"));
      show();
    });
    show();
  }

  #mayNotify() {
    return (
      "Notification" in window && Notification.permission === "granted" && recall("notify") === "on"
    );
  }

  /** Raises a notification, unless a tab of ours is looked at. @param {any} request */
  async #notify({ id, credential, question }) {
    if (!this.#mayNotify() || !document.hidden) return;
    this.#isSeen = false;
    await new Promise((resume) => setTimeout(resume, 200));
    if (this.#isSeen) return;
    try {
      // The tag is the request: however many tabs raise it, one is shown.
      const name = credential === LOCAL ? "askwell" : credential;
      const notification = new Notification(text("notify-title", { name }), {
        body: question,
        tag: id,
      });
      this.#notifications.set(id, notification);
      notification.onclick = () => {
        notification.close();
        window.focus();
        if (this.#shown.request !== id) location.assign(`/r/${encodeURIComponent(id)}`);
      };
    } catch {
      // Some browsers show them from a service worker only.
    }
  }
}
