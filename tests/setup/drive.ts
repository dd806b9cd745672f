import type { Consent, FakeGoogle } from '#tests/fakes/google/server.ts'
import type { TestClient } from '#tests/setup/client.ts'

/** Begins a login as a browser does, and returns the address at Google that it leads to. */
export async function goToGoogle(
  client: TestClient,
  { landing = '/external-auths', pick = false } = {},
): Promise<URL> {
  const query = new URLSearchParams({
    externalAuthRedirectUri: landing,
    forceRefreshTokens: 'true',
    ...(pick ? { pick: 'true' } : {}),
  })
  const answer = await client.get(`/v1/external-auth/google-oauth/login?${query.toString()}`)
  if (answer.status !== 302)
    throw new Error(`The login answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return new URL(answer.headers.get('location') ?? '')
}

/** Connects the drive of who is signed in at Google; returns the id of the connection. */
export async function connectDrive(
  client: TestClient,
  google: FakeGoogle,
  consent?: Consent,
): Promise<string> {
  const back = await google.answer((await goToGoogle(client)).href, consent)
  const answer = await client.get(back.pathname + back.search)
  const landing = new URL(answer.headers.get('location') ?? '', 'http://here')
  const id = landing.searchParams.get('externalAuthId')
  if (id === null)
    throw new Error(
      `Nothing was connected: ${answer.status} ${JSON.stringify(answer.body)} ${landing.search}`,
    )
  return id
}
