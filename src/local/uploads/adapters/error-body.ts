/** Codes of this server are `noun/why`; two have the form that S3 gives them. */
const OWN_CODE = /^(?:[a-z-]+\/[a-z-]+|BadDigest|NoSuchUpload)$/

/** More than a storage says of a part; nothing is kept of an answer that is longer or endless. */
export const ERROR_BODY_MAX_BYTES = 64 * 1_024

/**
 * Reads `Code` of an S3 error document or `error.code` of this server; null for a body without
 * either, also for the JSON of a machine in between. Never throws.
 */
export function readErrorCode(body: string): string | null {
  const text = body.trim()
  if (text === '') return null
  const xml = /<Error>[\s\S]*?<Code>([\w.]{1,100})<\/Code>/.exec(text)
  if (xml !== null) return xml[1] ?? null
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return null
    const { error } = parsed
    return typeof error === 'object' &&
      error !== null &&
      'code' in error &&
      typeof error.code === 'string' &&
      OWN_CODE.test(error.code)
      ? error.code
      : null
  } catch {
    return null
  }
}
