import { isTakenBy, linkIn } from './link-in.ts'

/** The contract's limit of a link. */
const LINK_MAX_CHARACTERS = 4096

/**
 * What is wrong with a pasted text before the server is asked for its link, in a sentence; null
 * where nothing is.
 * @param hosts the hosts that the server takes, with all names below them
 */
export function linkFault(text: string, hosts: readonly string[]): string | null {
  if (text.trim() === '') return 'Paste the link to your video.'
  const read = linkIn(text, hosts)
  if (read.kind === 'many')
    return 'There are several links in this text. Paste only that of your video.'
  const url = read.kind === 'one' ? URL.parse(read.link) : null
  if (read.kind === 'none' || url === null || url.username + url.password !== '')
    return 'Paste a whole link that begins with https://, without a password in it.'
  if (read.link.length > LINK_MAX_CHARACTERS)
    return 'This link is too long to be one of a video. Copy it again.'
  return isTakenBy(read.link, hosts)
    ? null
    : `This server takes links of ${hosts.join(' or ')} only. Download the video and upload it from this device.`
}
