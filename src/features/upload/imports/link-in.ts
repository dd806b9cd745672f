/** A link with its beginning, or a host with a path, which is not the middle of something else. */
const LINK =
  /(?:https?:\/\/|(?<![\w@./:-])(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?(?=\/))[^\s<>"“”„«»]*/giu
const UNSEEN = /\p{Cf}/gu
/** Marks of a sentence, in the scripts that have their own. */
const BEHIND = /[.,;:!?'’*…、。，．；：！？｡､「」『』،؛؟۔।]+$/u
const CLOSING = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['（', '）'],
  ['【', '】'],
  ['《', '》'],
] as const

/** What of a pasted text can be fetched. */
export type LinkReading =
  /** The one link that is there, as https. */
  | { readonly kind: 'one'; readonly link: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'many' }

/**
 * The link of a pasted text, also in brackets, within a sentence, without its beginning or with
 * `http://`. Of several links the only one that the server takes counts.
 * @param hosts the hosts that the server takes, with all names below them
 */
export function linkIn(text: string, hosts: readonly string[]): LinkReading {
  const found = text.replaceAll(UNSEEN, '').match(LINK) ?? []
  const links = new Map<string, string>()
  for (const each of found) {
    const link = secure(bare(each))
    const url = URL.parse(link)
    if (url !== null && !links.has(url.href)) links.set(url.href, link)
  }
  const all = [...links.values()]
  const [only, another] = all.length === 1 ? all : all.filter((link) => isTakenBy(link, hosts))
  if (only !== undefined && another === undefined) return { kind: 'one', link: only }
  return { kind: all.length === 0 ? 'none' : 'many' }
}

/** Whether the link leads to one of the hosts. */
export function isTakenBy(link: string, hosts: readonly string[]): boolean {
  const name = URL.parse(link)?.hostname ?? ''
  return hosts.some((host) => name === host || name.endsWith(`.${host}`))
}

/** Without what a sentence, a mail or Markdown puts behind a link. */
function bare(found: string): string {
  const link = (found.split('](')[0] ?? found).replace(BEHIND, '')
  const isLoose = CLOSING.some(
    ([open, close]) => link.endsWith(close) && count(link, close) > count(link, open),
  )
  return isLoose ? bare(link.slice(0, -1)) : link
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** The server fetches by https only, which every host that it takes answers. */
function secure(link: string): string {
  const written = link.replaceAll('&amp;', '&')
  if (!/^https?:/i.test(written)) return `https://${written}`
  return written.replace(
    /^http:\/\/([^/?#]*)/i,
    (_, host: string) => `https://${host.replace(/:80$/, '')}`,
  )
}
