/** What a person sends with a code, unless they write something else. */
export const SHARE_TEXT =
  "Here's the video editor that saves me HOURS. Subscribe via my link and we each get 1 month of tokens free"

/** A place where a code can be shared by following a link. */
export interface ShareLink {
  readonly name: string
  readonly href: string
}

/** The text and the link, for places that take one text. */
export function shareMessage(link: string): string {
  return `${SHARE_TEXT} ${link}`
}

/** Links that open a place with the text written and the link in it. */
export function shareLinks(link: string): readonly ShareLink[] {
  const url = encodeURIComponent(link)
  const text = encodeURIComponent(SHARE_TEXT)
  const message = encodeURIComponent(shareMessage(link))
  return [
    { name: 'Telegram', href: `https://t.me/share/url?url=${url}&text=${text}` },
    { name: 'WhatsApp', href: `https://wa.me/?text=${message}` },
    { name: 'Twitter', href: `https://twitter.com/intent/tweet?text=${text}&url=${url}` },
    { name: 'SMS', href: `sms:?body=${message}` },
  ]
}
