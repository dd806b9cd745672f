import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react/pure'
import { GuardFailure } from '#src/app/guards/guards.ts'
import { useOpenWhen } from '#src/app/screens/use-open-when.ts'
import { CREATOR, type Person } from './harness/creator.ts'
import { refused } from './harness/fake-server.ts'
import { openScreen } from './harness/open-screen.tsx'

const NEWCOMER: Person = { ...CREATOR, profession: null }

describe('who may open what', () => {
  test.each([
    ['/edits?sort=name-a-z', ['/edits?sort=name-a-z']],
    // A redirect: its target is what the visitor wanted.
    ['/media-jobs', ['/edits']],
    // Signing in leads there anyway.
    ['/create-profile', []],
  ])(
    'APP-06 a signed-out visitor of %s sees the front page, and signing in leads on to %s',
    async (path, kept) => {
      const screen = await openScreen({ path, person: null })
      await expect
        .element(page.getByRole('heading', { level: 1 }))
        .toHaveTextContent('Spend Less Time Editing, More Time Living')
      expect(screen.path()).toBe('/')
      expect(Object.values(sessionStorage)).toEqual(kept)
    },
  )

  test.each(['/edits', '/', '/uploads/new'])(
    'APP-07 without a profession %s leads to the profile',
    async (path) => {
      const screen = await openScreen({ path, person: NEWCOMER })
      await expect.element(page.getByRole('heading', { name: 'I am a' })).toBeVisible()
      expect(screen.path()).toBe('/create-profile')
    },
  )

  test.each(['/create-profile', '/'])(
    'APP-07 with a profession %s leads to the upload',
    async (path) => {
      const screen = await openScreen({ path })
      await expect.poll(screen.path).toBe('/uploads/new')
    },
  )

  test.each(['/media-jobs', '/signup', '/login'])(
    'APP-09 %s leads to /edits for a person who is signed in',
    async (path) => {
      const screen = await openScreen({ path })
      await expect.element(page.getByRole('heading', { name: 'Your Edits' })).toBeVisible()
      expect(screen.path()).toBe('/edits')
    },
  )

  test('APP-07 says why a page cannot open when the profile could not be loaded', async () => {
    await openScreen({
      path: '/edits',
      isNewDevice: true,
      answers: { getCurrentUser: refused(422, 'request/invalid', 'No profiles today.') },
    })
    await expect
      .element(page.getByRole('heading', { name: 'This page could not be loaded' }))
      .toBeVisible()
    await expect.element(page.getByRole('alert')).toHaveTextContent('No profiles today.')
  })

  test('SAF-07 a page that an outage kept from loading opens by itself at the end', async () => {
    const screen = await openScreen({ path: '/edits', isNewDevice: true, network: 'portal' })
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('This network wants you to sign in first.')
    screen.setNetwork('online')
    await screen.letTimePassUntil(page.getByRole('heading', { name: 'Your Edits' }))
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test.each(['/edits', '/edits?sort=name-a-z', '/edits#main'])(
    'SAF-07 %s opens when its guards answer before the screen is drawn again',
    async (path) => {
      let isReady = false
      const loader = () => {
        if (!isReady) throw new GuardFailure('No profiles today.')
        return null
      }
      const router = createMemoryRouter(
        [
          {
            path: '/edits',
            loader,
            Component: () => 'Your Edits',
            ErrorBoundary: Closed,
            HydrateFallback: () => null,
          },
        ],
        { initialEntries: [path] },
      )
      function Closed() {
        const [isPossible, setIsPossible] = useState(false)
        useOpenWhen(isPossible)
        return <button onClick={() => setIsPossible(true)}>The server answers</button>
      }
      onTestFinished(cleanup)
      await render(<RouterProvider router={router} />)
      const press = page.getByRole('button', { name: 'The server answers' })
      await expect.element(press).toBeVisible()
      isReady = true
      await press.click()
      await expect.element(page.getByText('Your Edits')).toBeVisible()
      const { pathname, search, hash } = router.state.location
      expect(pathname + search + hash).toBe(path)
    },
  )
})

describe('pages that say one thing', () => {
  test('APP-03 an unknown address says so and leads home', async () => {
    await openScreen({ path: '/no-such-page', person: null })
    await expect
      .element(page.getByText("Sorry, we couldn't find the page you're looking for."))
      .toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Go back home' }))
      .toHaveAttribute('href', '/')
  })

  test('APP-05 /not-authorized says 401 and leads to My Edits', async () => {
    await openScreen({ path: '/not-authorized', person: null })
    await expect.element(page.getByText('401', { exact: true })).toBeVisible()
    await expect
      .element(page.getByText("Sorry, you're not authorized to access this page."))
      .toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Go back to My Edits' }))
      .toHaveAttribute('href', '/edits')
  })
})
