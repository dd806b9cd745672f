import type { IncomingMessage } from 'node:http'
import type { Ctx } from '#server/context.ts'
import { OutgoingError } from '#server/net/outgoing.ts'
import { Problem } from '#server/problems.ts'
import {
  ImportFault,
  nameOf,
  readFacts,
  type FileFacts,
} from '#server/operations/processing/imports/answers.ts'
import { HEAD_RANGE, readHead } from '#server/operations/processing/imports/head.ts'
import type { AskedImports, FileQuestion, FoundFile, ImportKind } from './kind.ts'

const EXPIRED = 'This link has expired. Please choose the file again.'

/** Files of links that anyone may download who has them. A place is the link itself. */
export const linkImports: ImportKind<AskedImports['link']> = {
  isOffered: ({ outgoing }) => outgoing.hosts.length > 0,
  placeOf: (ctx, { link }) => checkLink(ctx, link).href,
  look: lookAtLink,
  reach: async ({ outgoing }, { place }) =>
    await Promise.resolve({
      open: async (asked) => await outgoing.open({ ...asked, link: place }),
    }),
  advice: 'Please paste the link again, or upload the file from a device.',
}

/**
 * The link as it is fetched, or a refusal that says what is wrong with it: `uploads/link-refused`,
 * `uploads/host-not-allowed`. Nothing is fetched.
 */
function checkLink(ctx: Pick<Ctx, 'outgoing'>, link: string): URL {
  try {
    return directLink(ctx.outgoing.check(link.trim()))
  } catch (error) {
    throw problemOf(ctx, error)
  }
}

/**
 * Asks a host for the beginning of a file. Refuses: `uploads/link-refused`,
 * `uploads/host-not-allowed`, `uploads/link-expired`, `uploads/link-away`.
 */
async function lookAtLink(
  { outgoing, clock }: Pick<Ctx, 'outgoing' | 'clock'>,
  { place, signal }: FileQuestion,
): Promise<FoundFile> {
  try {
    const { url, message } = await outgoing.open({ link: place, headers: HEAD_RANGE, signal })
    const { isPiece, sizeBytes, validator } = factsOf(message, clock().getTime())
    return {
      place,
      host: new URL(place).hostname.replace(/^www\./, ''),
      name: nameOf(message.headers, url),
      sizeBytes,
      validator,
      headSha256: await readHead(message, sizeBytes),
      // Pieces of a version that has no name could be of two.
      takesRanges: isPiece && validator !== null,
    }
  } catch (error) {
    throw problemOf({ outgoing }, signal.aborted ? new ImportFault('away') : error)
  }
}

/** Reads the headers of a file with a size; ends the answer of another one. */
function factsOf(message: IncomingMessage, nowMs: number): FileFacts & { sizeBytes: number } {
  try {
    const { sizeBytes, ...facts } = readFacts(message, nowMs)
    if (sizeBytes === null) throw noSize()
    return { ...facts, sizeBytes }
  } catch (error) {
    message.destroy()
    throw error
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
      // Of drives only.
      case 'sign-in':
        return refused(
          'The host does not give this file to anyone who has the link. Share it so that anyone with the link can download it, and try again.',
        )
      case 'page':
        return refused(
          'This link leads to a page or a document, not to a video. Copy the link that downloads the file.',
        )
      case 'encoded':
        return refused(
          'The host compresses this file on its way, so it cannot be copied piece by piece. Please upload it from a device.',
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
