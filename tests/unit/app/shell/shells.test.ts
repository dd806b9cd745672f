import { describe, expect, it } from 'vitest'
import { paths } from '#src/config/paths.ts'
import { renderLoadFailure, renderShells } from '#src/shells-server.tsx'

const shells = renderShells()

describe('the shells of pages', () => {
  it('exist for people with and without a login, and for the pages that are met first', () => {
    expect(shells.map(({ who, path }) => [who, path])).toEqual([
      ['visitor', null],
      ['visitor', paths.signUp],
      ['user', null],
      ['user', paths.createProfile],
      ['user', paths.edits],
      ['user', paths.newUpload],
    ])
  })

  it.each(shells)(
    'of $who at $path have nothing that would be lost when the app takes over',
    ({ html }) => {
      expect(html).not.toMatch(/<(?:input|textarea|select|form|script|style|title)\b|style="/)
      for (const [button] of html.matchAll(/<button[^>]*>/g))
        expect(button).toMatch(/\bdisabled=""/)
      expect(html).toContain('aria-busy="true"')
    },
  )

  it('say nothing of an account: no balance, no address, no entries that need a right', () => {
    for (const { html } of shells.filter(({ who }) => who === 'user'))
      for (const word of ['token', '@', 'Log in', 'Logout', 'Referrals</a>', 'Subscribe'])
        expect(html).not.toContain(word)
  })

  it('say what to do when the script does not come, without needing it', () => {
    expect(renderLoadFailure()).toMatch(/<a href="" [^>]*>Try again<\/a>/)
    expect(renderLoadFailure()).not.toMatch(/<(?:button|script|title)\b/)
  })

  it('name the module of the screen that takes their place', async () => {
    const screens = import.meta.glob('/src/features/**/*Screen.tsx')
    for (const { screen } of shells)
      if (screen !== null)
        expect(Object.keys(screens).filter((path) => path.endsWith(screen))).toHaveLength(1)
  })
})
