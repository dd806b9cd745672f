import { expect, it } from 'vitest'
import { createGoogleDrive, GOOGLE, type DriveScope } from '#server/drives/google.ts'
import { createLog } from '#server/log.ts'

const scopesAsked = (scope: DriveScope, wantsPick: boolean): string | null => {
  const drive = createGoogleDrive({
    clientId: 'id',
    clientSecret: 'secret',
    scope,
    redirectUri: 'https://edits.example.com/editors/drive/google',
    places: GOOGLE,
    get: () => Promise.reject(new Error('Nothing is fetched')),
    post: () => Promise.reject(new Error('Nothing is fetched')),
    log: createLog(),
  })
  const login = { state: 's', challenge: 'c', asksAgain: true, wantsPick }
  return new URL(drive.loginUrl(login)).searchParams.get('scope')
}

it('LIF-09 asks for the right to save in any case, and for no other where a file is chosen', () => {
  const at = 'https://www.googleapis.com/auth/'
  expect(scopesAsked('drive.file', false)).toBe(`${at}drive.file`)
  expect(scopesAsked('drive.readonly', false)).toBe(`${at}drive.readonly ${at}drive.file`)
  expect(scopesAsked('drive.readonly', true)).toBe(`${at}drive.file`)
})
