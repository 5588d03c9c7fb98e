import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "@fairtick/i18n";
import type { IconProps } from "@fairtick/ui/icons/glyph.ts";
import * as icons from "@fairtick/ui/icons/shell.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Plugin } from "vite";

const CATALOGUES = join(import.meta.dirname, "../../../packages/i18n/catalogues");
const WAITING_ROWS = 8;

type Icon = (typeof icons)["IconBell"];

function messagesOf(code: string): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const area of ["common", "home", "shell"]) {
    try {
      Object.assign(messages, JSON.parse(readFileSync(join(CATALOGUES, code, `${area}.json`), "utf8")));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  return messages;
}

/** The markup of the home screen while its figures are being fetched; `{id}` stands where a message goes. */
function shellMarkup(): string {
  const icon = (Icon: Icon, props: IconProps = {}) => renderToStaticMarkup(createElement(Icon, props));
  const word = (id: string) => `<span data-t="${id}"></span>`;
  const wait = (like: string) => `<span class="wait" data-as="${like}"></span>`;
  const figure = (id: string, like: string) =>
    `<div><dt class="note soft">${word(id)}</dt><dd class="figure">${wait(like)}</dd></div>`;
  const tab = (path: string, id: string, Icon: Icon, current = "") =>
    `<a href="#/pages/${path}/index"${current}>${icon(Icon)}${word(id)}</a>`;
  const shortcut = (path: string, id: string, Icon: Icon) => `<a href="#/pages/${path}">${icon(Icon)}${word(id)}</a>`;
  const row = `<div class="row near ranking-row"><span><span class="block">${wait("EUR/USD")}</span><span class="note block">${wait("Euro / dollar")}</span></span><span></span><span class="figure">${wait("1.000000")}</span><span>${wait("+0.00%")}</span></div>`;
  return `<div class="app" data-home-shell><header class="top"><div class="bar"><h1 class="bar-title mark"><svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="9.25"/><path class="hand" d="M11 11V4.5"/><path d="m11 11 4.2 2.4"/></svg>Fairtick</h1><a class="bar-button" href="#/pages/notice/index">${icon(icons.IconBell)}<span class="unseen">${word("home.notices")}</span></a></div>
<div class="under-bar"><div class="practice"><span data-for="practice">${word("shell.practicePlayMoney")}</span>${word("shell.pricesSimulated")}</div></div></header>
<main class="page broad" aria-busy="true"><div data-for="member"><section class="home-assets"><p class="label">${word("home.totalAssets")}</p><p class="price">${wait("10,000.00")} <span class="unit">${word("shell.usd")}</span></p><dl class="split">${figure("home.available", "9,000.00")}${figure("home.inOrders", "200.00")}${figure("home.today", "+100.00")}</dl></section></div>
<section class="home-assets stack" data-for="visitor"><p class="title">${word("home.welcome")}</p><nav class="pair"><a class="button tint lowkey" href="#/pages/index/index">${word("shell.login")}</a><a class="button lowkey" href="#/pages/index/Register">${word("shell.createAccount")}</a></nav></section>
<nav class="shortcuts">${shortcut("rk/index", "home.deposit", icons.IconDeposit)}${shortcut("qk/index", "home.withdraw", icons.IconWithdraw)}${shortcut("kf/index", "home.onlineService", icons.IconChat)}${shortcut("share/index", "home.inviteReward", icons.IconInvite)}${shortcut("trade/trade", "home.limitedTime", icons.IconStopwatch)}${shortcut("download/index", "home.downloadApp", icons.IconApp)}</nav>
<p class="home-announcement soft">${icon(icons.IconNews, { size: "small" })}<span class="grow cut">${wait("Announcement and its title")}</span></p>
<section class="home-ranking"><div class="segments slim"><label class="shell-chosen">${word("home.all")}</label><label>${word("home.rising")}</label><label>${word("home.falling")}</label></div><div class="ranking-head note soft">${word("home.product")}<span class="end">${word("home.latestPrice")}</span><span class="end">${word("home.todaysChange")}</span></div><div class="group">${row.repeat(WAITING_ROWS)}</div></section></main>
<nav class="tabs">${tab("home", "shell.tab.home", icons.IconHome, ' aria-current="page"')}${tab("market", "shell.tab.market", icons.IconMarket)}${tab("trade", "shell.tab.trade", icons.IconTrade)}${tab("order", "shell.tab.orders", icons.IconOrders)}${tab("user", "shell.tab.mine", icons.IconMine)}</nav></div>`;
}

/**
 * Stands before the stylesheet, so that nothing is ever painted otherwise: theme, text size and font as stored, whose half
 * of the shell is shown (`data-who`), and whether the shell is this route's at all (`data-shell`). It also notes
 * (`data-lost`) and tells (`fairtick-lost`) when a script of the page, or what it imports, does not load.
 */
const FIRST_SCRIPT = `(function(h){var g=function(k){try{return localStorage.getItem(k)}catch(e){return null}},s={},p=location.hash.replace(/^#/,"").split("?")[0];
try{s=JSON.parse(g("fairtickSettings"))||{}}catch(e){}
if(s.theme==="light"||s.theme==="dark")h.dataset.theme=s.theme;
if(s.textSize>100)h.style.setProperty("--text-scale",s.textSize/100);
if(g("fairtickFont"))h.dataset.font="";
h.dataset.who=g("exchange2508Token")===null?"visitor":"member";
h.dataset.shell=p===""||p==="/"||p==="/pages/home/index"?"home":"none";
addEventListener("error",function(e){if(e.target instanceof HTMLScriptElement){h.dataset.lost="";dispatchEvent(new Event("fairtick-lost"))}},true);
})(document.documentElement)`;

/** What a page says whose scripts did not load. */
const LOST = "common.loadFailed";

/**
 * Right behind the shell: the stored language's words; what is not for this member or route leaves the page. Where the
 * app's scripts do not load, one button takes the page's place; the press loads it again, and so does a network that is
 * back.
 */
const SHELL_SCRIPT = `(function(d,w){var g=function(k){try{return localStorage.getItem(k)}catch(e){return null}},h=d.documentElement,r=d.getElementById("root"),t=w[g("lang")||"en"]||{};
function again(){location.reload()}
function lost(){var b=d.createElement("button");b.type="button";b.className="state lost";b.textContent=t["${LOST}"]||w.en["${LOST}"];b.onclick=again;h.dataset.shell="lost";r.setAttribute("role","alert");r.replaceChildren(b);addEventListener("online",again)}
addEventListener("fairtick-lost",lost);
if(t[""])h.lang=t[""];
if("lost" in h.dataset)return lost();
if(h.dataset.shell==="none"){r.textContent="";return}
r.querySelectorAll("[data-t]").forEach(function(e){var m=t[e.dataset.t];if(m)e.textContent=m});
var f=['[data-for="'+(h.dataset.who==="visitor"?"member":"visitor")+'"]'];if(/"wallet":"real"/.test(g("loginState")))f.push('[data-for="practice"]');r.querySelectorAll(f.join()).forEach(function(e){e.remove()});
})(document,WORDS)`;

/** Puts the first view of the home screen into index.html, so that it is drawn before any script has come. */
export function homeShell(): Plugin {
  return {
    name: "fairtick-home-shell",
    transformIndexHtml: {
      order: "pre",
      handler(html, { path }) {
        // The gallery of components is another page.
        if (path !== "/index.html") return html;
        const english = messagesOf("en");
        const markup = shellMarkup().replaceAll(/<span data-t="([^"]+)"><\/span>/g, (_, id: string) => {
          const message = english[id];
          if (message === undefined) throw new Error(`There is no message ${id}`);
          return `<span data-t="${id}">${message}</span>`;
        });
        const ids = [...new Set([...markup.matchAll(/data-t="([^"]+)"/g)].map(([, id = ""]) => id)), LOST];
        const words: Record<string, Record<string, string>> = { en: { [LOST]: english[LOST] ?? "" } };
        for (const { code, tag } of LANGUAGES) {
          if (code === "en") continue;
          const own = messagesOf(code);
          const known = ids.filter((id) => own[id] !== undefined && own[id] !== english[id]);
          words[code] = { "": tag, ...Object.fromEntries(known.map((id) => [id, own[id] ?? ""])) };
        }
        const script = SHELL_SCRIPT.replace("WORDS", () => JSON.stringify(words).replaceAll("<", "\\u003c"));
        return html
          .replace('<meta charset="utf-8" />', (meta) => `${meta}\n    <script>${FIRST_SCRIPT}</script>`)
          .replace('<div id="root"></div>', () => `<div id="root">${markup}</div>\n    <script>${script}</script>`);
      },
    },
  };
}
