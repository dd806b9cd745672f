import type { Progress } from '#server/backup/back-up.ts'
import { bytesText } from '#server/backup/words.ts'
import { SettingError } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'

/** What a command has to say in the end. */
export interface Outcome {
  readonly lines: readonly string[]
  readonly isWhole: boolean
}

/**
 * Runs the work of `backup` or `restore` until a signal ends it, and sets how the process ends: 0,
 * 1 where something is missing, 2 where the work was not done.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<Outcome>): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => stop.abort(new StartError('Stopped before the end.')))
  try {
    const { lines, isWhole } = await work(stop.signal)
    process.stdout.write(`${lines.join('\n')}\n`)
    process.exitCode = isWhole ? 0 : 1
  } catch (error) {
    process.exitCode = 2
    const isSentence = error instanceof StartError || error instanceof SettingError
    const ended: unknown = stop.signal.aborted ? stop.signal.reason : error
    process.stderr.write(
      isSentence || stop.signal.aborted
        ? `${ended instanceof Error ? ended.message : String(ended)}\n`
        : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  }
}

/** What is wrong with what was typed, in one sentence, and how it is typed. */
export function asUsage(error: unknown, usage: string): StartError {
  const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ')
  return new StartError(`${sentence}. Usage: ${usage}`)
}

/** Shows how far it is, where a person looks. */
export function showProgress(done: string): (progress: Progress) => void {
  if (!process.stderr.isTTY) return () => undefined
  let shownAt = 0
  return ({ doneBytes, allBytes }) => {
    const isEnd = doneBytes === allBytes
    if (!isEnd && performance.now() - shownAt < 200) return
    shownAt = performance.now()
    const share = allBytes === 0 ? 100 : Math.floor((100 * doneBytes) / allBytes)
    const line = `${bytesText(doneBytes)} of ${bytesText(allBytes)} ${done} (${share} %)`
    process.stderr.write(`\r${line}\u{1B}[K${isEnd ? '\n' : ''}`)
  }
}
