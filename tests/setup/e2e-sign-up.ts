import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'

/** Signs up at a server process the way a person does: proof of work, mail, six digits. */
export async function signUpAt(
  server: Pick<E2eServer, 'origin' | 'mails'>,
  email = `creator-${crypto.randomUUID()}@example.com`,
): Promise<{ client: TestClient; userId: string; email: string }> {
  const client = createTestClient(server.origin)
  const challenge = (await client.get<Challenge>('/v1/human-challenges')).body
  const solution = await solveChallenge({ challenge, deriveKey })
  const captchaToken = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  const asked = await client.post('/v1/auth/magic-link/signup', {
    user: { email },
    captchaToken,
    redirectUri: '/',
  })
  if (asked.status !== 202)
    throw new Error(`Signing up answered ${asked.status}: ${JSON.stringify(asked.body)}`)
  const mail = (await server.mails()).find(({ to }) => to === email)
  const code = /^\s*(\d{6})\s*$/m.exec(mail?.text ?? '')?.[1]
  const signedIn = await client.post<{ user: { _id: string } }>('/v1/auth/magic-link/code', {
    email,
    code,
  })
  if (signedIn.status !== 200)
    throw new Error(`The code answered ${signedIn.status}: ${JSON.stringify(signedIn.body)}`)
  return { client, userId: signedIn.body.user._id, email }
}

/** Signs up at a server process, and chooses a profession, so that no screen asks for one. */
export async function signUpCreator(
  server: Pick<E2eServer, 'origin' | 'mails'>,
): Promise<TestClient> {
  const { client, userId } = await signUpAt(server)
  const answer = await client.patch(`/v1/${userId}/profile`, {
    userProfile: { profession: 'Creator/Model' },
  })
  if (answer.status >= 300)
    throw new Error(`The profession answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return client
}
