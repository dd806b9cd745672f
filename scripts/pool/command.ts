import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolMissing } from '#scripts/ensure-tools.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { ensureTestTools } from './test-tools.ts'

/** What a command that runs tests works with. */
export interface Command {
  /** Variables that name the tools. */
  readonly env: Readonly<Record<string, string>>
  /** Ctrl-C: the running jobs end, no further job begins, and nothing is summed up. */
  readonly stopped: AbortSignal
}

/**
 * Runs a command that runs tests, after what is missing was installed, and sets the exit code of
 * the process: what `main` returns, 130 after Ctrl-C, 2 with a line where it throws.
 */
export async function runCommand(main: (command: Command) => Promise<number>): Promise<void> {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
  try {
    await mkdir(join(projectRoot, 'node_modules/.cache/onecut'), { recursive: true })
    const code = await main({ env: ensureTestTools(), stopped: stopped.signal })
    process.exitCode = stopped.signal.aborted ? 130 : code
  } catch (error) {
    process.stderr.write(`${error instanceof ToolMissing ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}
