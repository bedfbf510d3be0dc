import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "../../src/web/html-to-markdown.ts";

const PAGE = "https://example.com/docs/page.html";

describe("a web page as Markdown", () => {
  it.for([
    ["<h2>Set <em>up</em></h2><p>One\n two</p>", "## Set *up*\n\nOne two"],
    ["<p>a<br>b<p>c", "a\nb\n\nc"],
    ["<ul><li>a<li><b>b</b><ol><li>c</ol></ul>d", "- a\n- **b**\n  1. c\n\nd"],
    ['<a href="../x?a=1&amp;b=2">the <b>x</b></a>', "[the **x**](https://example.com/x?a=1&b=2)"],
    ['<a href="javascript:alert(1)">x</a> <a href="#y">y</a>', "x y"],
    ['<base href="https://other.example/"><a href="z">z</a>', "[z](https://other.example/z)"],
    [
      "<pre class='language-ts'><b>const</b> a = 1;\n\n  b();</pre>",
      "```ts\nconst a = 1;\n\n  b();\n```",
    ],
    ["<pre>```</pre>", "````\n```\n````"],
    ["Run <code>a `b` c</code>", "Run ``a `b` c``"],
    ["<blockquote><p>a<p>b</blockquote>c", "> a\n\n> b\n\nc"],
    [
      "<table><tr><th>a<th>b|c<tr><td><p>1</p><p>2</p><td></table>",
      "| a | b\\|c |\n| --- | --- |\n| 1 2 |  |",
    ],
    ["<table><tr><td><table><tr><td>a<td>b</table></table>", "a b"],
    ["a<script>if (1 < 2) x('</p>')</script><style>p{}</style><!-- c --><nav>menu</nav>b", "ab"],
    ["<nav>menu<main>text</main>", "text"],
    ["<img src=a.png alt='A chart'><img src=b.png>", "[image: A chart]"],
    ["&lt;b&gt; &amp; &copy; &#x41;", "<b> & © A"],
    ["a<b> b </b> &#32; <i></i>c", "a **b** c"],
    ["<hr>a", "---\n\na"],
    ["<constructor>a</constructor><toString>b", "ab"],
  ] as const)("converts %j", ([html, markdown]) => {
    expect(htmlToMarkdown(html, PAGE).text).toBe(markdown);
  });

  it("returns the title of a page without its markup", () => {
    const html = "<head><title> A &amp;\n B</title></head><svg><title>icon</title></svg>text";
    expect(htmlToMarkdown(html, PAGE)).toEqual({ title: "A & B", text: "text" });
  });

  it.for([
    "<b>",
    "<ul><li>",
    "<blockquote>",
    "<table><tr><td>",
    "<nav>",
    "<pre>",
    "<a href=x>",
    "</ul>",
  ])("keeps the text after 50,000 unclosed %s", (tag) => {
    const { text } = htmlToMarkdown(`${tag.repeat(50_000)}<h1>end</h1>`, PAGE);
    expect(text).toContain("end");
    expect(text.length).toBeLessThan(2_000_000);
  });

  it("keeps every word of the text, however tags are mixed", () => {
    const tags = "p b a ul li ol pre code table tr td h1 blockquote br em div".split(" ");
    const part = fc.oneof(
      fc.constantFrom(...tags.flatMap((name) => [`<${name}>`, `</${name}>`])),
      fc.constant(" word "),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const words = parts.filter((text) => text === " word ").length;
        const { text } = htmlToMarkdown(parts.join(""), PAGE);
        expect(text.match(/word/g) ?? []).toHaveLength(words);
      }),
    );
  });
});
