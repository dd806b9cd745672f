import type { Plugin } from 'vite'
import type { ManifestOptions } from 'vite-plugin-pwa'
import { OUTSIDE_LOOKS } from '#src/config/outside-look.ts'

const { name, manifest: path } = OUTSIDE_LOOKS.plain
const icon = (size: number, file: string, purpose: 'any' | 'maskable') => ({
  src: `/icons/${file}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})
const icons = [
  icon(192, 'plain-192', 'any'),
  icon(512, 'plain-512', 'any'),
  icon(512, 'plain-maskable-512', 'maskable'),
]
/** Before an installation the browser shows no pictures of the product and no trade. */
const LEFT_OUT = ['description', 'categories', 'screenshots'] as const

/**
 * Writes the manifest for people who are discreet beside the usual one. It does the same under
 * another name, and is another app for the browser, so that both can be installed.
 */
export function plainManifest(usual: Partial<ManifestOptions>): Plugin {
  return {
    name: 'onecut:plain-manifest',
    apply: 'build',
    generateBundle() {
      const kept = Object.entries(usual).filter(([key]) => !LEFT_OUT.some((left) => left === key))
      const [first, second] = usual.shortcuts ?? []
      const plain = {
        ...Object.fromEntries(kept),
        id: '/?plain',
        name,
        short_name: name,
        theme_color: '#3f6f8f',
        icons,
        shortcuts: [
          { ...first, name: 'New', icons: icons.slice(0, 1) },
          { ...second, name: 'All', icons: icons.slice(0, 1) },
        ],
      }
      this.emitFile({ type: 'asset', fileName: path.slice(1), source: JSON.stringify(plain) })
    },
  }
}
