import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A disk store in a process of its own (tests/fixtures/disk-store-process.ts). */
export interface DiskStoreProcess {
  readonly origin: string
  /** Bytes that its JavaScript holds after a garbage collection, buffers too. */
  heldMemory(): Promise<number>
  /** SIGKILL. */
  kill(): Promise<void>
}

/** Starts it on a folder; call `kill` at the end. With a connection, it uses that database. */
export async function startDiskStoreProcess(
  root: string,
  connection?: object,
): Promise<DiskStoreProcess> {
  const child: ChildProcess = fork(
    join(import.meta.dirname, '../fixtures/disk-store-process.ts'),
    [root, ...(connection === undefined ? [] : [JSON.stringify(connection)])],
    { execArgv: ['--expose-gc'], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  const exited = once(child, 'exit')
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return {
    origin: line.toString().trim(),
    async heldMemory() {
      const answered = once(child, 'message') as Promise<[number]>
      child.send('')
      return (await answered)[0]
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
