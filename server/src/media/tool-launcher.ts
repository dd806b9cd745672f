import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
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
  const end = new Promise<ToolExit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  end.catch(() => undefined)
  // Where this process can open no more files, it has no pipes, and says so a moment later.
  const { pid, stdin, stdout, stderr }: Partial<ChildProcess> = child
  if (stdout == null || stderr == null) {
    await end
    throw new Error('A tool was started without pipes')
  }
  return { pid, stdin: stdin ?? null, stdout, stderr, end }
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
  const beginAnother = (): Promise<Running> => {
    const another = begin()
    const forget = (): void => {
      if (running === another) running = null
    }
    another.then(({ gone }) => gone.then(forget), forget)
    return another
  }
  return {
    start: async (start) => {
      running ??= beginAnother()
      try {
        const { start: startThere } = await running.catch(() => {
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
  /** Resolves when it has ended. */
  readonly gone: Promise<void>
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

/** Rejects, and leaves nothing, where a launcher cannot run here. */
async function begin(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-launcher-'))
  const path = join(folder, 'tools')
  const asked = new Map<number, Asked>()
  const server = listener((id, which, connection) => {
    const place = asked.get(id)?.sockets[which]
    if (place === undefined) return connection.socket.destroy()
    place.resolve(connection)
    connection.socket.write(HAS_IT)
  })
  const gone = Promise.withResolvers<void>()
  const leave = (): void => {
    gone.resolve()
    server.close()
    rm(folder, { recursive: true, force: true }).catch(() => undefined)
    for (const tool of asked.values()) endWithLauncher(tool)
  }
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve)
    })
    const child = spawn(process.execPath, ['-e', PROGRAM, path, String(process.pid)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
      env: {},
    })
    child.once('exit', leave)
    // It says a word as soon as it runs.
    await new Promise((resolve, reject) => {
      child.once('message', resolve).once('exit', reject).once('error', reject)
    })
    child.on('error', () => undefined)
    child.on('message', (word: Word) => hear(asked.get(word.id), word))
    child.unref()
    child.channel?.unref()
    server.unref()
    return { start: async (start) => await ask(child, asked, start), gone: gone.promise }
  } catch (error) {
    leave()
    throw error
  }
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

/** What it is answered: the launcher gives a tool no socket that this process does not have. */
const HAS_IT = Buffer.alloc(1)

function listener(
  onConnection: (id: number, which: number, connection: Connection) => void,
): Server {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const look = (): void => {
      const head = socket.read(HEAD_BYTES) as Buffer | null
      if (head === null) return
      socket.off('readable', look)
      if (head.byteLength < HEAD_BYTES) socket.destroy()
      else onConnection(head.readUInt32BE(0), head[HEAD_BYTES - 1] ?? 0, { socket, closed })
    }
    socket.on('readable', look)
  })
  // Of one that it cannot take, the launcher hears that it is closed.
  return server.on('error', () => undefined)
}

function hear(tool: Asked | undefined, word: Word): void {
  if (tool === undefined) return
  if ('exitCode' in word) return tool.ended.resolve(word)
  if (!('code' in word || 'isUnreachable' in word)) return tool.begun.resolve(word.pid)
  const { message, code } = 'code' in word ? word : {}
  refuse(tool, code === undefined ? new Unreachable() : Object.assign(new Error(message), { code }))
}

function refuse(tool: Asked, failure: Error): void {
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
    if (error !== null) refuse(tool, new Unreachable())
  })
  const pid = await tool.begun.promise
  const [printed, complained] = [await output.promise, await errors.promise]
  const stdin = start.hasInput ? (await input.promise).socket : null
  const end = tool.ended.promise.then(async (exit) => {
    await Promise.all([printed.closed, complained.closed])
    // It stays where the tool wrote into it what is not read.
    stdin?.destroy()
    return exit
  })
  return { pid, stdin, stdout: printed.socket, stderr: complained.socket, end }
}

/** As text, so that it runs from sources and from a bundle alike. */
const PROGRAM = `
const { spawn } = require('node:child_process')
const { readlinkSync, rmSync } = require('node:fs')
const { open } = require('node:fs/promises')
const { connect } = require('node:net')
const { dirname } = require('node:path')
const [, path, server] = process.argv
// What cannot be told is heard by none: that the channel has closed comes a moment later.
const tell = (word) => process.send(word, () => undefined)
const socketTo = (id, which) => new Promise((resolve, reject) => {
  const head = Buffer.alloc(${HEAD_BYTES})
  head.writeUInt32BE(id)
  head[${HEAD_BYTES} - 1] = which
  const socket = connect(path)
  socket.on('error', reject).once('close', reject)
  socket.once('data', () => resolve(socket.pause()))
  socket.write(head)
})
const fileOf = async (handle) => {
  // The files of another process would be there where /proc is of other numbers.
  if (readlinkSync('/proc/self') !== String(process.pid)) throw new Error('No /proc')
  return await open('/proc/' + server + '/fd/' + handle)
}
const allOf = async (promises, drop) => {
  const all = await Promise.allSettled(promises)
  const there = all.flatMap(({ status, value }) => status === 'fulfilled' ? [value] : [])
  if (there.length === all.length) return there
  there.forEach(drop)
  return null
}
const dropSocket = (socket) => socket.destroy()
const dropFile = (file) => file.close().catch(() => undefined)
const start = async ({ id, command: [program, ...args], cwd, uid, hasInput, handles, env }) => {
  const wanted = [...(hasInput ? [0] : []), 1, 2]
  const sockets = await allOf(wanted.map((which) => socketTo(id, which)), dropSocket)
  const files = sockets === null ? null : await allOf(handles.map(fileOf), dropFile)
  if (files === null) {
    sockets?.forEach(dropSocket)
    return tell({ id, isUnreachable: true })
  }
  try {
    const stdio = [...(hasInput ? [] : ['ignore']), ...sockets, ...files.map(({ fd }) => fd)]
    const user = uid === null ? {} : { uid, gid: uid }
    const tool = spawn(program, args, { cwd, stdio, ...user, env, detached: true })
    tool.once('exit', (exitCode, signal) => tell({ id, exitCode, signal }))
    tool.once('error', (error) => tell({ id, code: error.code, message: error.message }))
    if (tool.pid !== undefined) setImmediate(() => tell({ id, pid: tool.pid }))
  } catch ({ code = 'ERR', message }) {
    tell({ id, code, message })
  } finally {
    sockets.forEach(dropSocket)
    files.forEach(dropFile)
  }
}
process.on('disconnect', () => {
  rmSync(dirname(path), { recursive: true, force: true })
  process.exit()
})
// Systemd sends it to all processes of a service; the server ends its work, and then this one.
process.on('SIGTERM', () => undefined)
process.on('message', start)
tell({})
`
