import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { makeVideoFile, sha256OfFile, type TestFile } from './test-files.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'

export const MIB = 1024 * 1024
/** The smallest part size that the server allows: many parts in a small file. */
export const PART_BYTES = 5 * MIB

/** The real server behind a proxy with faults, one account, and files to upload. */
export interface FaultWorld {
  readonly proxy: FaultProxy
  readonly server: E2eServer
  /** Signed in around the proxy: sees what the server itself answers. */
  readonly client: TestClient
  makeFile(name: string, sizeBytes: number): Promise<TestFile>
  /** A new account, with a profession, so that no screen asks for one. */
  signUp(): Promise<TestClient>
  /** SHA-256 of the stored bytes of a finished upload. */
  storedSha256(uploadRequestId: string): Promise<string>
  dispose(): Promise<void>
}

/**
 * Starts everything. `env` adds to the server's settings; `entry` is another server program than
 * the usual one.
 */
export async function startFaultWorld(
  env: Readonly<Record<string, string>> = {},
  entry?: string,
): Promise<FaultWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-faults-'))
  const proxy = await startFaultProxy()
  const server = await startE2eServer(
    { ONECUT_PUBLIC_ORIGIN: proxy.origin, ONECUT_PART_SIZE_BYTES: String(PART_BYTES), ...env },
    entry,
  )
  proxy.setTarget(server.origin)
  const signUp = async (): Promise<TestClient> => {
    const { client, userId } = await signUpAt({ origin: proxy.origin, mails: () => server.mails() })
    const answer = await client.patch(`/v1/${userId}/profile`, {
      userProfile: { profession: 'Creator/Model' },
    })
    if (answer.status >= 300)
      throw new Error(`The profession answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return client
  }
  return {
    proxy,
    server,
    signUp,
    client: await signUp(),
    makeFile: (name, sizeBytes) => makeVideoFile(join(folder, name), sizeBytes),
    storedSha256: (uploadRequestId) =>
      sha256OfFile(join(server.dataDir, 'store', 'objects', 'uploads', uploadRequestId)),
    dispose: async () => {
      await proxy.close()
      await server.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
