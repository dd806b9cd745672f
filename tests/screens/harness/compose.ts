import { cdp } from 'vitest/browser'

/**
 * Types as a keyboard does that composes: each text replaces the one before it in the field with
 * the focus, until the last one is taken.
 */
export async function compose(...texts: readonly string[]): Promise<void> {
  const devTools = cdp() as unknown as {
    send(method: string, params: object): Promise<unknown>
  }
  for (const text of texts) {
    const end = { selectionStart: text.length, selectionEnd: text.length }
    await devTools.send('Input.imeSetComposition', { text, ...end })
  }
  await devTools.send('Input.insertText', { text: texts.at(-1) ?? '' })
}
