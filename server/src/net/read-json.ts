import type { IncomingMessage } from 'node:http'

/** No answer that is read here has more. */
const MAX_JSON_BYTES = 64 * 1024

/** The body of an answer; throws where it is no JSON, or too long. */
export async function readJson(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_JSON_BYTES) throw new Error('The answer is too long')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
}
