/** What the server writes the front page with; built for Node beside the page. */
import { renderToString } from 'react-dom/server'
import { FrontPage } from '#src/app/front/FrontPage.tsx'
import type { FrontPage as Facts } from '#src/features/landing/front-page.ts'

/** The content of `#root`; the same facts must be in the document for the browser. */
export function renderFrontPage(facts: Facts): string {
  return renderToString(<FrontPage facts={facts} />)
}
