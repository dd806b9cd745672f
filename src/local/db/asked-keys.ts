/**
 * How a service worker asks pages for the keys of an account ([Note: app lock]): it may be ended at
 * any time, and a page that locks itself answers no more.
 */
import * as v from 'valibot'
import type { SealKeys } from './seal.ts'
import { SECOND_MS } from '#src/lib/time.ts'

const ANSWERS_WITHIN_MS = 3 * SECOND_MS

/** A page as a service worker sees it. */
interface AskedPage {
  postMessage(message: unknown, transfer: Transferable[]): void
}

const question = v.object({ type: v.literal('seal-keys-wanted'), userId: v.string() })
const sealKeys = v.object({ rows: v.instance(Uint8Array), files: v.instance(CryptoKey) })

/** The keys of an account from the first page that has them; null where none has. */
export async function askForKeys(
  pages: readonly AskedPage[],
  userId: string,
): Promise<SealKeys | null> {
  const answers = pages.map(async (page) => {
    const { port1, port2 } = new MessageChannel()
    const answer = new Promise<unknown>((resolve, reject) => {
      port1.onmessage = ({ data }) => resolve(data)
      setTimeout(() => reject(new Error('the page does not answer')), ANSWERS_WITHIN_MS)
    })
    page.postMessage({ type: 'seal-keys-wanted', userId }, [port2])
    try {
      const { rows, files } = v.parse(sealKeys, await answer)
      return { rows: new Uint8Array(rows), files }
    } finally {
      port1.close()
    }
  })
  return Promise.any(answers).catch(() => null)
}

/** Answers what `askForKeys` asks. @param keysOf null where this page has none */
export function answerForKeys(
  { data, ports }: Pick<MessageEvent<unknown>, 'data' | 'ports'>,
  keysOf: (userId: string) => SealKeys | null,
): void {
  const asked = v.safeParse(question, data)
  if (asked.success) ports[0]?.postMessage(keysOf(asked.output.userId))
}
