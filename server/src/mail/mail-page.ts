/** The parts that every mail is made of. Each is escaped here. */
import type { OutgoingMail } from './port.ts'

/** Whose mail it is, above its heading. */
export const BRAND_LINE = '<p style="margin:0 0 24px;font-weight:700;font-size:18px">Onecut</p>'

/** How every mail's page ends. */
const END = '</div></body></html>'

const buttonStyle =
  'display:inline-block;padding:14px 24px;border-radius:10px;background:#4f46e5;color:#ffffff;font-weight:600;text-decoration:none'

/**
 * The HTML of a mail. Mail programs drop style sheets, so every style is inline; colours are left
 * to the program's light or dark theme.
 * @param blocks HTML, made by the functions below
 * @param foot a small last line; null for none
 */
export function page(title: string, blocks: readonly string[], foot: string | null): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title></head>`,
    '<body style="margin:0;padding:32px 20px;font-family:Inter,system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5">',
    `<div style="max-width:480px;margin:0 auto">${BRAND_LINE}<h1 style="margin:0 0 12px;font-size:24px">${escapeHtml(title)}</h1>`,
    ...blocks,
    foot === null
      ? ''
      : `<p style="margin:28px 0 0;font-size:14px;opacity:.75">${escapeHtml(foot)}</p>`,
    END,
  ].join('\n')
}

/** A mail with the operator's address for questions as its last line; the same without one. */
export function withSupport(mail: OutgoingMail, supportMail: string | null): OutgoingMail {
  if (supportMail === null) return mail
  const words = `Questions? Write to ${supportMail}.`
  const line = `<p style="margin:12px 0 0;font-size:14px;opacity:.75">${escapeHtml(words)}</p>`
  return {
    ...mail,
    text: `${mail.text.trimEnd()}\n\n${words}\n`,
    html: `${mail.html.slice(0, mail.html.lastIndexOf(END))}${line}\n${END}`,
  }
}

export function paragraph(text: string): string {
  return `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`
}

/** A link that looks like a button. */
export function linkButton(label: string, url: string): string {
  return `<p style="margin:28px 0"><a href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(label)}</a></p>`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
