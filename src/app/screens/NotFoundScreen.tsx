import { MessageScreen } from './MessageScreen.tsx'
import { paths } from '#src/config/paths.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** The catch-all page. */
export function NotFoundScreen() {
  return (
    <MessageScreen
      eyebrow="404"
      title="Page not found"
      action={<LinkButton to={paths.landing}>Go back home</LinkButton>}
    >
      Sorry, we couldn&apos;t find the page you&apos;re looking for.
    </MessageScreen>
  )
}
