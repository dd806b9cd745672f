/** What the build writes the shells of pages with; see [Note: shell]. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { LoadFailure } from '#src/app/shell/LoadFailure.tsx'
import { Shell } from '#src/app/shell/Shell.tsx'
import type { WrittenShell } from '#src/app/shell/written-shell.ts'
import { LoadingScreen } from '#src/app/screens/LoadingScreen.tsx'
import { paths } from '#src/config/paths.ts'
import { SignUpShell } from '#src/features/auth/SignUpShell.tsx'
import { EditsShell } from '#src/features/edits/EditsShell.tsx'
import { NewUploadShell } from '#src/features/upload/choose/NewUploadShell.tsx'

const SHELLS: readonly (Omit<WrittenShell, 'html'> & { readonly content: ReactNode })[] = [
  { who: 'visitor', path: null, screen: null, content: <LoadingScreen text="Loading…" /> },
  {
    who: 'visitor',
    path: paths.signUp,
    screen: 'auth/SignUpScreen.tsx',
    content: <SignUpShell />,
  },
  { who: 'user', path: null, screen: null, content: <LoadingScreen text="Loading…" /> },
  {
    who: 'user',
    path: paths.createProfile,
    screen: 'profile/CreateProfileScreen.tsx',
    content: <LoadingScreen text="Loading profile..." />,
  },
  { who: 'user', path: paths.edits, screen: 'edits/EditsScreen.tsx', content: <EditsShell /> },
  {
    who: 'user',
    path: paths.newUpload,
    screen: 'upload/UploadFlowScreen.tsx',
    content: <NewUploadShell />,
  },
]

/** Titles, which the app sets, and hints for pictures that the page names anyway. */
const NOT_SHOWN = /<title>[^<]*<\/title>|<link [^>]*>/g

/** Every shell. */
export function renderShells(): readonly WrittenShell[] {
  return SHELLS.map(({ content, ...shell }) => ({
    ...shell,
    html: renderToStaticMarkup(
      <MemoryRouter initialEntries={[shell.path ?? paths.landing]}>
        <Shell isVisitor={shell.who === 'visitor'}>{content}</Shell>
      </MemoryRouter>,
    ).replaceAll(NOT_SHOWN, ''),
  }))
}

/** What stands in the place of a screen whose script did not come. */
export function renderLoadFailure(): string {
  return renderToStaticMarkup(<LoadFailure />).replaceAll(NOT_SHOWN, '')
}
