import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, Socket, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** What a tool is started with. */
interface ToolStart {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** User and group; null = those of this process. */
  readonly uid: number | null
  /** Whether something is written to its standard input. */
  readonly hasInput: boolean
  /** Open files of this process that the tool inherits, from descriptor 3 on. */
  readonly handles: readonly number[]
}

/** A tool that runs, and leads a process group of its own. */
interface StartedTool {
  readonly pid: number | undefined
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when it has ended and all it printed was read; rejects where it did not begin. */
  readonly end: Promise<ToolExit>
}

interface ToolExit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

export type StartTool = (start: ToolStart) => Promise<StartedTool>

const environment = (cwd: string) => ({
  PATH: process.env['PATH'] ?? '',
  LC_ALL: 'C',
  HOME: cwd,
  TMPDIR: cwd,
})

/** Starts a tool as a child of this process. */
export const startHere: StartTool = async ({ command, cwd, uid, hasInput, handles }) => {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd,
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...handles],
    ...(uid === null ? {} : { uid, gid: uid }),
    // A group of its own: Ctrl-C reaches us first, and one kill ends whatever the tool started.
    detached: process.platform !== 'win32',
    env: environment(cwd),
  })
  const { pid, stdin, stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('A tool was started without pipes')
  const end = new Promise<ToolExit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  end.catch(() => undefined)
  return await Promise.resolve({ pid, stdin, stdout, stderr, end })
}

/** Starts tools from a small process beside this one. */
export interface Launcher {
  readonly start: StartTool
}

/**
 * [Note: launcher] To start a program, the system copies the tables of all memory of the process
 * that starts it: 17 ms of a processor for 500 MB, in which Node does nothing else, and a few times
 * that where other work wants the processor too. So a small process starts the tools. What they
 * print comes straight to this one, by sockets that the launcher opens and hands to them. It lives
 * as this process does: it ends when their channel closes, and the tools end with it. Where it has
 * ended by itself, its tools were killed, and the next one begins with the next tool. The program
 * of the launcher stands in one file with what speaks to it, because each word of one is the
 * other's.
 */
export function createLauncher(): Launcher {
  let running: Promise<Running> | null = null
  return {
    start: async (start) => {
      running ??= begin(() => {
        running = null
      })
      try {
        const { start: startThere } = await running.catch(() => {
          running = null
          throw new Unreachable()
        })
        return await startThere(start)
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        return await startHere(start)
      }
    },
  }
}

interface Running {
  readonly start: StartTool
}

/** The launcher and this process cannot reach each other, as without a folder for their socket. */
class Unreachable extends Error {}

/** A tool of which the launcher has not said that it ended. */
interface Asked {
  readonly sockets: readonly PromiseWithResolvers<Connection>[]
  readonly begun: PromiseWithResolvers<number | undefined>
  readonly ended: PromiseWithResolvers<ToolExit>
}

interface Connection {
  readonly socket: Socket
  /** Resolves also where it closed before anybody read of it, as of a tool that prints nothing. */
  readonly closed: Promise<unknown>
}

/** What the launcher says: that a tool runs, that it does not, that it has ended. */
type Word =
  | { readonly id: number; readonly pid?: number }
  | { readonly id: number; readonly code: string; readonly message: string }
  | { readonly id: number; readonly isUnreachable: true }
  | ({ readonly id: number } & ToolExit)

async function begin(onEnd: () => void): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-launcher-'))
  const path = join(folder, 'tools')
  const asked = new Map<number, Asked>()
  const server = await listen(path, (id, which, connection) => {
    const place = asked.get(id)?.sockets[which]
    if (place === undefined) connection.socket.destroy()
    else place.resolve(connection)
  })
  const child = spawn(process.execPath, ['-e', PROGRAM, path], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    env: {},
  })
  child.on('message', (word: Word) => hear(asked.get(word.id), word))
  const gone = (): void => {
    onEnd()
    server.close()
    rmSync(folder, { recursive: true, force: true })
    for (const tool of asked.values()) endWithLauncher(tool)
  }
  child.once('exit', gone).once('error', gone)
  child.unref()
  child.channel?.unref()
  server.unref()
  return { start: async (start) => await ask(child, asked, start) }
}

/** Not every confinement has a tool die with what started it. */
function endWithLauncher(tool: Asked): void {
  const { begun, sockets, ended } = tool
  for (const { resolve } of sockets) resolve({ socket: new Socket(), closed: Promise.resolve() })
  dropSockets(tool)
  begun.resolve(undefined)
  ended.resolve({ exitCode: null, signal: 'SIGKILL' })
  void begun.promise.then((pid) => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  })
}

/** What a connection says first: of which tool it is, and which of its descriptors. */
const HEAD_BYTES = 5

async function listen(
  path: string,
  onConnection: (id: number, which: number, connection: Connection) => void,
): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const look = (): void => {
      const head = socket.read(HEAD_BYTES) as Buffer | null
      if (head === null) return
      socket.off('readable', look)
      onConnection(head.readUInt32BE(0), head[HEAD_BYTES - 1] ?? 0, { socket, closed })
    }
    socket.on('readable', look)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve)
  })
  return server
}

function hear(tool: Asked | undefined, word: Word): void {
  if (tool === undefined) return
  if ('exitCode' in word) return tool.ended.resolve(word)
  if (!('code' in word || 'isUnreachable' in word)) return tool.begun.resolve(word.pid)
  const failure =
    'code' in word ? Object.assign(new Error(word.message), { code: word.code }) : new Unreachable()
  dropSockets(tool)
  for (const each of [tool.begun, ...tool.sockets, tool.ended]) each.reject(failure)
}

/** Nothing reads of those that are there, and so nothing would close them. */
function dropSockets({ sockets }: Asked): void {
  for (const { promise } of sockets)
    promise.then(
      ({ socket }) => socket.destroy(),
      () => undefined,
    )
}

let lastId = 0

async function ask(
  child: ChildProcess,
  asked: Map<number, Asked>,
  start: ToolStart,
): Promise<StartedTool> {
  lastId += 1
  const id = lastId
  const tool: Asked = {
    sockets: [0, 1, 2].map(() => Promise.withResolvers<Connection>()),
    begun: Promise.withResolvers(),
    ended: Promise.withResolvers(),
  }
  const [input, output, errors] = tool.sockets
  if (input === undefined || output === undefined || errors === undefined)
    throw new Error('A tool has three descriptors')
  for (const { promise } of [...tool.sockets, tool.begun, tool.ended])
    promise.catch(() => undefined)
  asked.set(id, tool)
  child.channel?.ref()
  const leave = (): void => {
    asked.delete(id)
    // Nothing of it holds a process that is done.
    if (asked.size === 0) child.channel?.unref()
  }
  // A connection may come later than the word that its tool has ended.
  const told = [tool.begun, output, errors, tool.ended].map(async ({ promise }) => await promise)
  void Promise.allSettled(told).then(leave)
  child.send({ ...start, id, env: environment(start.cwd) }, (error) => {
    if (error !== null) endWithLauncher(tool)
  })
  const pid = await tool.begun.promise
  const [printed, complained] = [await output.promise, await errors.promise]
  const end = tool.ended.promise.then(async (exit) => {
    await Promise.all([printed.closed, complained.closed])
    return exit
  })
  const stdin = start.hasInput ? (await input.promise).socket : null
  return { pid, stdin, stdout: printed.socket, stderr: complained.socket, end }
}

/** As text, so that it runs from sources and from a bundle alike. */
const PROGRAM = `
const { spawn } = require('node:child_process')
const { closeSync, openSync, rmSync } = require('node:fs')
const { connect } = require('node:net')
const { dirname } = require('node:path')
const path = process.argv[1]
const open = (id, which) => new Promise((resolve, reject) => {
  const head = Buffer.alloc(${HEAD_BYTES})
  head.writeUInt32BE(id)
  head[${HEAD_BYTES} - 1] = which
  const socket = connect(path)
  socket.pause()
  socket.once('error', reject)
  socket.write(head, () => resolve(socket))
})
const filesOf = (handles) => {
  const files = []
  try {
    for (const handle of handles) files.push(openSync('/proc/' + process.ppid + '/fd/' + handle))
    return files
  } catch {
    for (const file of files) closeSync(file)
    return null
  }
}
const start = async ({ id, command: [program, ...args], cwd, uid, hasInput, handles, env }) => {
  const wanted = [...(hasInput ? [0] : []), 1, 2]
  const sockets = await Promise.all(wanted.map((which) => open(id, which))).catch(() => null)
  const files = sockets === null ? null : filesOf(handles)
  if (files === null) {
    for (const socket of sockets ?? []) socket.destroy()
    return process.send({ id, isUnreachable: true })
  }
  try {
    const stdio = [...(hasInput ? [] : ['ignore']), ...sockets, ...files]
    const user = uid === null ? {} : { uid, gid: uid }
    const tool = spawn(program, args, { cwd, stdio, ...user, env, detached: true })
    tool.once('exit', (exitCode, signal) => process.send({ id, exitCode, signal }))
    tool.once('error', (error) => process.send({ id, code: error.code, message: error.message }))
    if (tool.pid !== undefined) setImmediate(() => process.send({ id, pid: tool.pid }))
  } catch ({ code = 'ERR', message }) {
    process.send({ id, code, message })
  } finally {
    for (const socket of sockets) socket.destroy()
    for (const file of files) closeSync(file)
  }
}
process.on('disconnect', () => {
  rmSync(dirname(path), { recursive: true, force: true })
  process.exit()
})
process.on('message', start)
`
