CREATE TABLE `activity` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`user_id` text,
	`user_name` text NOT NULL,
	`device_id` text,
	`action` text NOT NULL,
	`details` text NOT NULL,
	`ip_address` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_workspace` ON `activity` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `activity_device` ON `activity` (`workspace_id`,`device_id`,`id`);--> statement-breakpoint
CREATE TABLE `blobs` (
	`sha256` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `commands` (
	`id` text PRIMARY KEY NOT NULL,
	`device_id` text NOT NULL,
	`command` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`status` text NOT NULL,
	`error` text,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `commands_device` ON `commands` (`device_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `content` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`filename` text NOT NULL,
	`mime_type` text NOT NULL,
	`kind` text NOT NULL,
	`file_size` integer DEFAULT 0 NOT NULL,
	`duration_sec` real,
	`width` integer,
	`height` integer,
	`remote_url` text,
	`folder` text DEFAULT '' NOT NULL,
	`folder_id` text,
	`sha256` text,
	`thumbnail` text,
	`fetched_at` integer,
	`fetch_error` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`sha256`) REFERENCES `blobs`(`sha256`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`thumbnail`) REFERENCES `blobs`(`sha256`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `content_workspace` ON `content` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `content_folder` ON `content` (`folder_id`);--> statement-breakpoint
CREATE INDEX `content_sha` ON `content` (`sha256`);--> statement-breakpoint
CREATE INDEX `content_thumbnail` ON `content` (`thumbnail`);--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`timezone` text NOT NULL,
	`orientation` text DEFAULT '0' NOT NULL,
	`playlist_id` text,
	`layout_id` text,
	`default_content_id` text,
	`secret_hash` text NOT NULL,
	`platform` text DEFAULT '' NOT NULL,
	`version` text DEFAULT '' NOT NULL,
	`capabilities` text DEFAULT '[]' NOT NULL,
	`screen_width` integer DEFAULT 0 NOT NULL,
	`screen_height` integer DEFAULT 0 NOT NULL,
	`ip_address` text,
	`last_heartbeat` integer,
	`local_ip` text,
	`local_ip6` text,
	`wifi_ssid` text,
	`wifi_rssi` integer,
	`battery_level` integer,
	`battery_charging` integer,
	`storage_free_mb` integer,
	`storage_total_mb` integer,
	`ram_free_mb` integer,
	`ram_total_mb` integer,
	`cpu_usage` real,
	`uptime_seconds` integer,
	`plays_through` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`layout_id`) REFERENCES `layouts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`default_content_id`) REFERENCES `content`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_secret_hash_unique` ON `devices` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `devices_workspace` ON `devices` (`workspace_id`,`name`);--> statement-breakpoint
CREATE INDEX `devices_playlist` ON `devices` (`playlist_id`);--> statement-breakpoint
CREATE INDEX `devices_layout` ON `devices` (`layout_id`);--> statement-breakpoint
CREATE TABLE `email_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `email_tokens_user` ON `email_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `feeds` (
	`url` text PRIMARY KEY NOT NULL,
	`data` text,
	`etag` text,
	`fetched_at` integer,
	`tried_at` integer NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`parent_id` text,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `folders_workspace` ON `folders` (`workspace_id`,`parent_id`);--> statement-breakpoint
CREATE TABLE `group_members` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`group_id` text NOT NULL,
	`device_id` text NOT NULL,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `group_members_pair` ON `group_members` (`group_id`,`device_id`);--> statement-breakpoint
CREATE INDEX `group_members_device` ON `group_members` (`device_id`);--> statement-breakpoint
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`color` text DEFAULT '#3B82F6' NOT NULL,
	`playlist_id` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `groups_workspace` ON `groups` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `groups_playlist` ON `groups` (`playlist_id`);--> statement-breakpoint
CREATE TABLE `invites` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `kiosk_pages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`config` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `kiosk_pages_workspace` ON `kiosk_pages` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `layouts` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text,
	`name` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`is_template` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `layouts_workspace` ON `layouts` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `limits` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`resets_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `limits_resets` ON `limits` (`resets_at`);--> statement-breakpoint
CREATE TABLE `organization_members` (
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `user_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_members_user` ON `organization_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `overlays` (
	`device_id` text PRIMARY KEY NOT NULL,
	`pip_id` text NOT NULL,
	`message` text NOT NULL,
	`until_ms` integer,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `play_hours` (
	`workspace_id` text NOT NULL,
	`quarter` integer NOT NULL,
	`device_id` text NOT NULL,
	`subject` text NOT NULL,
	`content_name` text NOT NULL,
	`device_name` text NOT NULL,
	`plays` integer NOT NULL,
	`ms` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `quarter`, `device_id`, `subject`)
);
--> statement-breakpoint
CREATE TABLE `playlist_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`playlist_id` text NOT NULL,
	`content_id` text,
	`widget_id` text,
	`zone_id` text,
	`sort_order` integer NOT NULL,
	`duration_sec` integer NOT NULL,
	`muted` integer DEFAULT false NOT NULL,
	`blocks` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`content_id`) REFERENCES `content`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`widget_id`) REFERENCES `widgets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `playlist_items_playlist` ON `playlist_items` (`playlist_id`,`sort_order`);--> statement-breakpoint
CREATE INDEX `playlist_items_content` ON `playlist_items` (`content_id`);--> statement-breakpoint
CREATE INDEX `playlist_items_widget` ON `playlist_items` (`widget_id`);--> statement-breakpoint
CREATE TABLE `playlists` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`published_ms` integer,
	`owner_device_id` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `playlists_workspace` ON `playlists` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `playlists_owner` ON `playlists` (`owner_device_id`);--> statement-breakpoint
CREATE TABLE `plays` (
	`id` integer PRIMARY KEY NOT NULL,
	`play_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`device_id` text NOT NULL,
	`device_name` text NOT NULL,
	`content_id` text,
	`widget_id` text,
	`content_name` text NOT NULL,
	`zone_id` text,
	`playlist_id` text,
	`item_id` integer,
	`started_ms` integer NOT NULL,
	`ended_ms` integer NOT NULL,
	`completed` integer NOT NULL,
	`seq` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plays_play_id_unique` ON `plays` (`play_id`);--> statement-breakpoint
CREATE INDEX `plays_time` ON `plays` (`workspace_id`,`started_ms`);--> statement-breakpoint
CREATE INDEX `plays_device` ON `plays` (`workspace_id`,`device_id`,`started_ms`);--> statement-breakpoint
CREATE INDEX `plays_content` ON `plays` (`workspace_id`,`content_id`,`started_ms`);--> statement-breakpoint
CREATE TABLE `published_items` (
	`id` integer NOT NULL,
	`playlist_id` text NOT NULL,
	`content_id` text,
	`widget_id` text,
	`zone_id` text,
	`sort_order` integer NOT NULL,
	`duration_sec` integer NOT NULL,
	`muted` integer DEFAULT false NOT NULL,
	`blocks` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`playlist_id`, `id`),
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`content_id`) REFERENCES `content`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`widget_id`) REFERENCES `widgets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `published_items_content` ON `published_items` (`content_id`);--> statement-breakpoint
CREATE INDEX `published_items_widget` ON `published_items` (`widget_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`device_id` text,
	`group_id` text,
	`zone_id` text,
	`content_id` text,
	`widget_id` text,
	`layout_id` text,
	`playlist_id` text,
	`title` text DEFAULT '' NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`timezone` text NOT NULL,
	`recurrence` text,
	`recurrence_end` text,
	`color` text,
	`priority` integer DEFAULT 0 NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`content_id`) REFERENCES `content`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`widget_id`) REFERENCES `widgets`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`layout_id`) REFERENCES `layouts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `schedules_workspace` ON `schedules` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `schedules_device` ON `schedules` (`device_id`);--> statement-breakpoint
CREATE INDEX `schedules_group` ON `schedules` (`group_id`);--> statement-breakpoint
CREATE TABLE `screenshots` (
	`device_id` text PRIMARY KEY NOT NULL,
	`mime` text NOT NULL,
	`data` blob NOT NULL,
	`taken_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text DEFAULT 'session' NOT NULL,
	`user_id` text NOT NULL,
	`workspace_id` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `status_intervals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` text NOT NULL,
	`status` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `status_intervals_device` ON `status_intervals` (`device_id`,`since`);--> statement-breakpoint
CREATE TABLE `telemetry` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` text NOT NULL,
	`reported_at` integer NOT NULL,
	`local_ip` text,
	`local_ip6` text,
	`wifi_ssid` text,
	`wifi_rssi` integer,
	`battery_level` integer,
	`battery_charging` integer,
	`storage_free_mb` integer,
	`storage_total_mb` integer,
	`ram_free_mb` integer,
	`ram_total_mb` integer,
	`cpu_usage` real,
	`uptime_seconds` integer,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `telemetry_device` ON `telemetry` (`device_id`,`reported_at`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_hash_unique` ON `tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `tokens_user` ON `tokens` (`user_id`,`workspace_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text DEFAULT 'user' NOT NULL,
	`auth_provider` text DEFAULT 'local' NOT NULL,
	`avatar_url` text DEFAULT '' NOT NULL,
	`plan_id` text NOT NULL,
	`password_hash` text,
	`email_verified` integer DEFAULT 0 NOT NULL,
	`email_alerts` integer DEFAULT 1 NOT NULL,
	`must_change_password` integer DEFAULT 0 NOT NULL,
	`totp_enabled` integer DEFAULT 0 NOT NULL,
	`totp_secret` text,
	`totp_last_step` integer DEFAULT 0 NOT NULL,
	`trial_started_at` integer,
	`payment_customer_id` text,
	`payment_subscription_id` text,
	`subscription_status` text,
	`subscription_ends` integer,
	`last_login_at` integer,
	`last_workspace_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `wall_members` (
	`device_id` text PRIMARY KEY NOT NULL,
	`wall_id` text NOT NULL,
	`grid_col` integer NOT NULL,
	`grid_row` integer NOT NULL,
	`rotation` integer DEFAULT 0 NOT NULL,
	`canvas_x` real,
	`canvas_y` real,
	`canvas_width` real,
	`canvas_height` real,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`wall_id`) REFERENCES `walls`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `wall_members_wall` ON `wall_members` (`wall_id`);--> statement-breakpoint
CREATE TABLE `walls` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`grid_cols` integer DEFAULT 2 NOT NULL,
	`grid_rows` integer DEFAULT 2 NOT NULL,
	`bezel_h_mm` real DEFAULT 0 NOT NULL,
	`bezel_v_mm` real DEFAULT 0 NOT NULL,
	`screen_w_mm` real DEFAULT 400 NOT NULL,
	`screen_h_mm` real DEFAULT 225 NOT NULL,
	`sync_mode` text DEFAULT 'clock' NOT NULL,
	`leader_device_id` text,
	`content_id` text,
	`playlist_id` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`leader_device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`content_id`) REFERENCES `content`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `walls_workspace` ON `walls` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `widgets` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`widget_type` text NOT NULL,
	`name` text NOT NULL,
	`config` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `widgets_workspace` ON `widgets` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `workspace_members` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `workspace_members_user` ON `workspace_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `workspaces_organization` ON `workspaces` (`organization_id`);--> statement-breakpoint
CREATE TABLE `zones` (
	`id` text PRIMARY KEY NOT NULL,
	`layout_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`x_percent` real NOT NULL,
	`y_percent` real NOT NULL,
	`width_percent` real NOT NULL,
	`height_percent` real NOT NULL,
	`z_index` integer DEFAULT 0 NOT NULL,
	`zone_type` text DEFAULT 'content' NOT NULL,
	`fit_mode` text DEFAULT 'cover' NOT NULL,
	`background_color` text DEFAULT '#000000' NOT NULL,
	FOREIGN KEY (`layout_id`) REFERENCES `layouts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `zones_layout` ON `zones` (`layout_id`,`position`);