import { execFileSync } from 'node:child_process'
import { createCipheriv, createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { livingPostmaster } from '#server/db/embedded/stale-locks.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'
import { patience } from '#tests/setup/patience.ts'

/**
 * Repeatable chance: the same seed gives the same numbers, so that a failure can be played again.
 */
export interface Chance {
  between(least: number, most: number): number
  bytes(length: number): Uint8Array
  /**
   * Lets some of at most `mostMs` pass: not to wait for anything, but to strike at any point of
   * what is going on.
   */
  moment(mostMs: number): Promise<void>
}

/** Numbers by mulberry32, bytes by AES in counter mode. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1))
  return {
    between,
    moment: (mostMs) => delay(between(0, mostMs)),
    bytes: (length) =>
      createCipheriv(
        'aes-128-ctr',
        createHash('md5').update(String(seed)).digest(),
        Buffer.alloc(16),
      ).update(Buffer.alloc(length)),
  }
}

/**
 * SIGKILL for the server, and for every process of its database when asked: no process gets to say
 * goodbye.
 */
export async function crash(
  server: E2eServer,
  { withDatabase }: { withDatabase: boolean },
): Promise<void> {
  const database = withDatabase ? await databaseOf(server) : []
  const dying = server.kill()
  for (const pid of database) killIfThere(pid)
  await dying
  // The tools die with the server because the system ends them, not because a test cleans up.
  await expect.poll(() => toolsOf(server), { timeout: patience(5), interval: 50 }).toEqual([])
}

/** SIGKILL for every process of the database of a server that itself goes on. */
export async function killDatabase(server: E2eServer): Promise<void> {
  for (const pid of await databaseOf(server)) killIfThere(pid)
}

async function databaseOf(server: E2eServer): Promise<number[]> {
  const postmaster = await livingPostmaster(join(server.dataDir, 'postgres'))
  return postmaster === null
    ? []
    : [
        postmaster,
        ...processes()
          .filter((each) => each.parent === postmaster)
          .map((each) => each.pid),
      ]
}

/** Command lines of ffmpeg and ffprobe that work for a server. */
export function toolsOf(server: E2eServer): string[] {
  return processes()
    .filter(
      ({ command, isDead }) =>
        !isDead && /(?:ffmpeg|ffprobe)\b/.test(command) && command.includes(server.dataDir),
    )
    .map(({ command }) => command)
}

/**
 * Repeats a call while no server answers, as a client does that lost its connection. Refusals of
 * the server are answers.
 */
export async function untilAnswered<T>(
  call: () => Promise<T>,
  isAnswer: (answer: T) => boolean = () => true,
): Promise<T> {
  const endsAt = performance.now() + 45_000
  for (;;) {
    const answer = await call().catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error
      return null
    })
    if (answer !== null && isAnswer(answer)) return answer
    if (performance.now() > endsAt) throw new Error('No server answered in time')
    await delay(50)
  }
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly isDead: boolean
  readonly command: string
}

function processes(): Process[] {
  const list = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 16 << 20,
  })
  return list.split('\n').flatMap((line) => {
    const [, pid, parent, stat, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined
      ? []
      : [
          {
            pid: Number(pid),
            parent: Number(parent),
            isDead: /^[ZX]/.test(stat ?? ''),
            command: command ?? '',
          },
        ]
  })
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
