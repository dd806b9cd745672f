import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA, type ManifestOptions } from 'vite-plugin-pwa'
import { SHARE_TARGET } from '#src/config/paths.ts'
import { chunkGroups } from '#scripts/vite-chunks.ts'
import { preloadFont } from '#scripts/vite-font.ts'
import { frontPage } from '#scripts/vite-front-page.ts'
import { installPack } from '#scripts/vite-install-pack.ts'
import { licences } from '#scripts/vite-licences.ts'
import { plainManifest } from '#scripts/vite-plain-manifest.ts'
import { precompress } from '#scripts/vite-precompress.ts'
import { shells } from '#scripts/vite-shells.ts'

const licencePlugins = licences()

const MANIFEST: Partial<ManifestOptions> = {
  id: '/',
  name: 'Onecut',
  short_name: 'Onecut',
  description: 'One-click video edits for people who sell their own videos.',
  lang: 'en',
  dir: 'ltr',
  start_url: '/edits',
  scope: '/',
  display: 'standalone',
  // A page that sends is never led elsewhere by what is shared or opened.
  launch_handler: { client_mode: 'navigate-new' },
  share_target: {
    action: SHARE_TARGET,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      files: [{ name: 'video', accept: ['video/*', '.mp4', '.mov', '.mkv', '.webm'] }],
    },
  },
  file_handlers: [
    {
      action: '/uploads/new',
      accept: {
        'video/mp4': ['.mp4'],
        'video/quicktime': ['.mov'],
        'video/x-matroska': ['.mkv'],
        'video/webm': ['.webm'],
      },
    },
  ],
  background_color: '#0c0c13',
  theme_color: '#4f46e5',
  categories: ['photo', 'productivity'],
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    {
      src: '/icons/icon-maskable-512.png',
      sizes: '512x512',
      type: 'image/png',
      purpose: 'maskable',
    },
    { src: '/icons/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
  // Shown by the browser's question before an installation.
  screenshots: [
    {
      src: '/screenshots/choose-edits.webp',
      sizes: '1200x750',
      type: 'image/webp',
      form_factor: 'wide',
      label: 'Choosing edits while the video uploads',
    },
    {
      src: '/screenshots/edits.webp',
      sizes: '960x600',
      type: 'image/webp',
      form_factor: 'wide',
      label: 'Finished edits, ready to download',
    },
    {
      src: '/screenshots/choose-edits-narrow.webp',
      sizes: '720x1440',
      type: 'image/webp',
      form_factor: 'narrow',
      label: 'Choosing edits on a phone',
    },
    {
      src: '/screenshots/edits-narrow.webp',
      sizes: '720x1440',
      type: 'image/webp',
      form_factor: 'narrow',
      label: 'Finished edits on a phone',
    },
  ],
  shortcuts: [
    {
      name: 'New Upload',
      url: '/uploads/new',
      icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
    },
    {
      name: 'My Edits',
      url: '/edits',
      icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
    },
  ],
}

/** The page and its service worker. Build variables: VITE_PAYMENTS_ENABLED (src/config/env.ts). */
export default defineConfig({
  plugins: [
    react(),
    tailwind(),
    licencePlugins.collect(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'workers/service',
      filename: 'sw.ts',
      // src/app/pwa registers it: the prompt and its conditions are ours.
      injectRegister: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,woff2,svg,webmanifest}', 'icons/*.png', 'presets/*.webp'],
        // The 32 MB ffmpeg core comes at its first use (workers/service/ffmpeg-core.ts).
        // The front page is written by the server.
        globIgnores: ['**/ffmpeg-core*', '**/*.wasm', 'front.html'],
        // Hashed names need no revision.
        dontCacheBustURLsMatching: /^assets\//,
        buildPlugins: { vite: [licencePlugins.collect()] },
      },
      manifest: MANIFEST,
    }),
    plainManifest(MANIFEST),
    licencePlugins.write,
    frontPage(),
    shells(),
    preloadFont(),
    installPack(),
    precompress(),
  ],
  worker: { format: 'es', plugins: () => [licencePlugins.collect()] },
  build: {
    // The app, and the page of visitors, which stands without it.
    rolldownOptions: {
      input: ['index.html', 'front.html'],
      output: {
        codeSplitting: { groups: chunkGroups() },
      },
    },
    manifest: true,
    // Nothing becomes a data: URL: the content policy allows them for images only.
    assetsInlineLimit: 0,
    // Answers for the main thread's budget are measured, not guessed from a default of 500 kB.
    chunkSizeWarningLimit: 1200,
  },
})
