import type { Plugin } from 'vite'

/** The letters of English; other ones come when a text has them. */
const FONT = /inter-latin-wght-normal-[^/]*\.woff2$/

/**
 * Lets pages ask for their font before their styles name it. Words that are painted with another
 * font first take other room, and move what stands below.
 */
export function preloadFont(): Plugin {
  return {
    name: 'onecut:font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((name) => FONT.test(name))
        if (font === undefined) throw new Error('The build has no font')
        return [
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/${font}`,
              crossorigin: '',
            },
            injectTo: 'head-prepend',
          },
        ]
      },
    },
  }
}
