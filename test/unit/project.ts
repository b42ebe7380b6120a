import project from '../../package.json' with { type: 'json' };
import { SEED } from '../names.ts';

/** Constants that the bundler defines for functions and the administrator's page. */
export const define = { PROJECT_VERSION: JSON.stringify(project.version), IS_DEVELOPMENT: 'false' };

/** In milliseconds, for all kinds of tests: a restart or a restore takes minutes on a busy machine. */
export const limits = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } };

/**
 * The unit tests. The files of a worker share their modules, to load them once; tests revert changes to them.
 */
export const unit = {
  name: 'unit',
  include: ['test/unit/*.test.ts', 'test/unit/!(admin-page)/**/*.test.ts'],
  globalSetup: 'test/unit/global-setup.ts',
  setupFiles: 'test/unit/setup.ts',
  isolate: false,
  // The slowest test took 49 s at load 45 on two cores: the limits end waits for what never comes.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  // They wait for their engine for a quarter of the time.
  maxWorkers: 4,
  // A zone with summer time, half an hour from UTC: functions and operators may have any.
  env: {
    TZ: 'America/St_Johns',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'eu-west-1',
  },
};

/**
 * The unit tests of the administrator's page, in a DOM. They are a project, as a worker ends with all of its modules when the
 * next file has another environment.
 */
export const page = {
  name: 'page',
  include: ['test/unit/admin-page/*.test.ts'],
  environment: 'happy-dom',
  setupFiles: unit.setupFiles,
  isolate: false,
  provide: { seed: SEED },
  env: unit.env,
};
