import type { Caller } from '../account/caller.ts';
import { instanceInfo } from '../instance/info.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The system information: flat keys, without secrets.
 *
 * @param setup whether to add the settings of the instance as `kv.v.setup.*`
 */
export const systemInformation = (
  caller: Caller,
  { settings, instanceName }: Pick<Runtime, 'settings' | 'instanceName'>,
  setup: boolean,
) => ({
  'kv.v.api.token': '' as const,
  ...instanceInfo(settings),
  'kv.v.owner.language': settings.OwnerLanguage,
  'kv.v.user.app_name': caller.user_app_name,
  'kv.v.user.currency': caller.user_currency,
  'kv.v.user.teamid': caller.team_id,
  'kv.v.user.userid': caller.id,
  'kv.v.user.username': caller.username,
  'kv.v.user.apps': caller.apps,
  ...(setup
    ? {
        'kv.v.setup.instance': instanceName,
        'kv.v.setup.jwt_expire_hours': settings.JwtExpireHours,
        'kv.v.setup.bcrypt_cost': settings.BcryptCost,
        'kv.v.setup.allow_query_token': settings.AllowQueryToken,
        'kv.v.setup.cors_allowed_origins': settings.CorsAllowedOrigins,
      }
    : {}),
});
