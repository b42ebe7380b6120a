import { expectTypeOf, test } from 'vitest';
import type * as account from '#lib/client/index';
import type { Client, CoreAccountError, CreatedToken, ErrorCode, Page, Profile } from '#lib/client/index';
import type { FailureCode } from '#lib/failure';

// The compiler makes these checks (`npm run check`): when it runs, nothing is left of them.

type Answer<Method extends (...args: never[]) => unknown> = Awaited<ReturnType<Method>>;
type Input<Method extends (...args: never[]) => unknown> = NonNullable<Parameters<Method>[0]>;
type Options<Method extends (...args: never[]) => unknown> = NonNullable<Parameters<Method>[1]>;
type Account = Client['account'];
type Token = Client['token'];
type System = Client['system'];
type Pages = ReturnType<ReturnType<Account['browse']>['pages']>;

test('an answer has the type of its contract, without the envelope', () => {
  expectTypeOf<Answer<Token['create']>['value']>().toEqualTypeOf<string>();
  expectTypeOf<Answer<Account['profile']>['roles']>().toEqualTypeOf<string[] | undefined>();
  expectTypeOf<Answer<System['preview']>>().toEqualTypeOf<{ html: string }>();
  expectTypeOf<ReturnType<Account['browse']>>().toExtend<AsyncIterator<{ islocked: boolean }>>();
  expectTypeOf<Pages>().toExtend<AsyncIterable<{ stats: { locked: number } }>>();
});

test('an input has the parameters of the path and the query, and the properties of the body', () => {
  type Reactivation = { username: string; revoke_tokens?: boolean | undefined };
  expectTypeOf<{ token_name: string; username: string }>().toExtend<Input<Token['create']>>();
  expectTypeOf<Input<Token['create']>['access']>().toEqualTypeOf<'full' | 'read' | undefined>();
  expectTypeOf<Input<Account['profile']>['username']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Input<Account['browse']>['inactive_since']>().toEqualTypeOf<string | Date | undefined>();
  expectTypeOf<Input<Account['reactivate']>>().toEqualTypeOf<Reactivation>();
  expectTypeOf<Options<Token['create']>['idempotencyKey']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<keyof Options<Account['lock']>>().toEqualTypeOf<'signal' | 'onHeaders' | 'onMessage'>();
});

test('an input has nothing that its contract does not have', () => {
  const use = (_: (client: Client) => unknown) => undefined;
  // @ts-expect-error the path has a username
  use(({ account }) => account.lock());
  // @ts-expect-error no filter has this name
  use(({ account }) => account.browse({ roles: 'sys_tokens' }));
  // @ts-expect-error the operation takes nothing
  use((client) => client.token.listOwn({ username: 'ada' }));
  // @ts-expect-error the service has no such operation
  use(({ account }) => account.remove({ username: 'ada' }));
});

test('an error has a known code, or one of a newer service', () => {
  expectTypeOf<FailureCode>().toExtend<ErrorCode>();
  expectTypeOf<CoreAccountError['code']>().toEqualTypeOf<ErrorCode | (string & {})>();
  // @ts-expect-error the list of known codes is closed
  'out_of_tokens' satisfies ErrorCode;
});

test('an answer has a named type', () => {
  expectTypeOf<Pages>().toExtend<AsyncIterable<Page<account.Account>>>();
  expectTypeOf<Answer<Account['profile']>>().toEqualTypeOf<Profile>();
  expectTypeOf<Answer<Token['create']>>().toEqualTypeOf<CreatedToken>();
});
