import { buffer, text } from 'node:stream/consumers'
import { createLauncher } from '#server/media/tool-launcher.ts'

/**
 * Starts media tools for tests as the server does ([Note: launcher] in tool-launcher.ts): a process
 * of tests has 300 MB to 1 GB of memory, whose tables a start of its own copies.
 */
export const testLauncher = createLauncher()

interface Printed<Output> {
  readonly stdout: Output
  readonly stderr: string
}

/** Runs a program to its end. Rejects with what it complained of. */
export async function runTool(program: string, args: readonly string[]): Promise<Printed<string>> {
  const { stdout, stderr } = await printedBy(program, args)
  return { stdout: stdout.toString(), stderr }
}

/** The same, with what it printed as bytes. */
export async function printedBy(
  program: string,
  args: readonly string[],
): Promise<Printed<Buffer>> {
  const { start } = testLauncher
  const command = [program, ...args] as const
  const handles: readonly number[] = []
  const tool = await start({ command, cwd: process.cwd(), uid: null, hasInput: false, handles })
  const [stdout, stderr, { exitCode, signal }] = await Promise.all([
    buffer(tool.stdout),
    text(tool.stderr),
    tool.end,
  ])
  if (exitCode === 0) return { stdout, stderr }
  throw new Error(`${command.join(' ')} ended with ${exitCode ?? signal}:\n${stderr}`)
}
