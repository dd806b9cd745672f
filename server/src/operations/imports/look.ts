import type { IncomingHttpHeaders } from 'node:http'
import type { Ctx } from '#server/context.ts'
import { OutgoingError } from '#server/net/outgoing.ts'
import { Problem } from '#server/problems.ts'
import { ImportFault, isPage, nameOf, readFacts, type FileFacts } from './answers.ts'

/** What a link leads to. */
export interface LinkedFile {
  readonly name: string
  readonly sizeBytes: number
  readonly validator: string | null
  readonly takesRanges: boolean
}

/** A person waits for this answer. */
export const LONGEST_LOOK_MS = 15_000
const EXPIRED = 'This link has expired. Please choose the file again.'

/**
 * The link as it is fetched, or a refusal that says what is wrong with it: `uploads/link-refused`,
 * `uploads/host-not-allowed`. Nothing is fetched.
 */
export function checkLink(ctx: Pick<Ctx, 'outgoing'>, link: string): URL {
  try {
    return directLink(ctx.outgoing.check(link.trim()))
  } catch (error) {
    throw problemOf(ctx, error)
  }
}

/**
 * Asks a host for the first byte of a file. Refuses: `uploads/link-refused`,
 * `uploads/host-not-allowed`, `uploads/link-expired`, `uploads/link-away`.
 */
export async function lookAtLink(
  ctx: Pick<Ctx, 'outgoing' | 'clock'>,
  link: URL,
): Promise<LinkedFile> {
  const signal = AbortSignal.timeout(LONGEST_LOOK_MS)
  try {
    const { url, headers, sizeBytes, validator, takesRanges } = await askFirstByte(ctx, {
      link: link.href,
      signal,
    })
    if (isPage(headers)) throw notAVideo()
    if (sizeBytes === null) throw noSize()
    return { name: nameOf(headers, url), sizeBytes, validator, takesRanges }
  } catch (error) {
    throw problemOf(ctx, signal.aborted ? new ImportFault('away') : error)
  }
}

/** What a host says of a file when its first byte is asked for. */
interface FirstByte extends Pick<FileFacts, 'sizeBytes' | 'validator'> {
  /** Where redirects led. */
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly takesRanges: boolean
}

/** Throws `OutgoingError`, `ImportFault`, or the signal's reason. */
export async function askFirstByte(
  { outgoing, clock }: Pick<Ctx, 'outgoing' | 'clock'>,
  { link, signal }: { readonly link: string; readonly signal: AbortSignal },
): Promise<FirstByte> {
  const { url, message } = await outgoing.open({ link, headers: { range: 'bytes=0-0' }, signal })
  message.destroy()
  const { isPiece, ...facts } = readFacts(message, clock().getTime())
  // Pieces of a version that has no name could be of two.
  return {
    url,
    headers: message.headers,
    ...facts,
    takesRanges: isPiece && facts.validator !== null,
  }
}

/** A link to Dropbox's page of a file as the link to the file. */
function directLink(url: URL): URL {
  if (/(?:^|\.)dropbox\.com$/.test(url.hostname) && url.searchParams.has('dl'))
    url.searchParams.set('dl', '1')
  // It is for browsers only.
  url.hash = ''
  return url
}

function problemOf({ outgoing }: Pick<Ctx, 'outgoing'>, error: unknown): unknown {
  if (error instanceof ImportFault)
    switch (error.kind) {
      case 'gone':
        return new Problem('uploads/link-expired', EXPIRED)
      case 'refused':
      case 'changed':
        return refused(
          'The host does not give this file to anyone who has the link. Share it so that anyone with the link can download it, and try again.',
        )
      case 'away':
        return away(error.retryAfterS)
    }
  if (!(error instanceof OutgoingError)) return error
  switch (error.fault) {
    case 'not-a-link':
      return refused('Paste a whole link that begins with https://, without a password in it.')
    case 'host':
    case 'address':
      return new Problem(
        'uploads/host-not-allowed',
        `This server takes links of ${outgoing.hosts.map(({ name }) => name).join(', ')} only.`,
      )
    case 'redirects':
      return refused('This link leads from one address to the next without an end.')
    case 'away':
      return away(null)
  }
}

function notAVideo(): Problem {
  return refused(
    'This link leads to a page or a document, not to a video. Copy the link that downloads the file.',
  )
}

function noSize(): Problem {
  return refused(
    'The host does not say how large this file is, so it cannot be copied. Please upload it from a device.',
  )
}

function refused(message: string): Problem {
  return new Problem('uploads/link-refused', message)
}

function away(retryAfterS: number | null): Problem {
  return new Problem(
    'uploads/link-away',
    'The host of this link does not answer. Please try again in a moment.',
    { retryAfterS: retryAfterS ?? 10 },
  )
}
