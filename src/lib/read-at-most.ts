/**
 * What an answer has, up to `maxBytes`; null where it has more, of which the rest is not read.
 * Rejects where the line breaks. Something between this device and the server may answer without an
 * end, and the page would hold all of it.
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let sizeBytes = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return joined(chunks, sizeBytes)
    sizeBytes += value.length
    if (sizeBytes > maxBytes) {
      // What was read is enough to know; how the rest ends does not matter.
      void reader.cancel().catch(() => undefined)
      return null
    }
    chunks.push(value)
  }
}

/** As `readAtMost`, for a text in UTF-8. */
export async function readTextAtMost(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return await response.text()
  const bytes = await readAtMost(response.body, maxBytes)
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

function joined(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  sizeBytes: number,
): Uint8Array<ArrayBuffer> {
  const [first] = chunks
  if (chunks.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
