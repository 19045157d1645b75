// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
pragma abicoder v1;

import {Token} from "token.sol";

/// @notice Moves the chain's native coin for the token, whose caller nobody else may be.
interface NativeCoinAuthority {
    function mint(address to, uint256 amount) external returns (bool);
    function burn(address from, uint256 amount) external returns (bool);
    function transfer(address from, address to, uint256 amount) external returns (bool);
}

/// @notice The chain's list of blocked addresses, which the token alone may change.
interface NativeCoinControl {
    function blocklist(address account) external returns (bool);
    function unBlocklist(address account) external returns (bool);
    function isBlocklisted(address account) external view returns (bool);
}

/// @notice The token of a chain whose native coin it is: it keeps no balances, and shows the coin's 18 decimals as 6.
/// @dev Answers as NativeFiatTokenV2_2 does, check by check and reason by reason. It stands in a genesis alone.
contract NativeToken is Token {
    uint256 private constant SCALE = 10 ** 12;
    NativeCoinAuthority private constant AUTHORITY = NativeCoinAuthority(0x1800000000000000000000000000000000000000);
    NativeCoinControl private constant CONTROL = NativeCoinControl(0x1800000000000000000000000000000000000001);

    constructor(
        string memory tokenName,
        string memory tokenSymbol,
        string memory tokenCurrency,
        uint8 tokenDecimals,
        address newMasterMinter,
        address newPauser,
        address newBlacklister,
        address newOwner
    )
        Token(
            tokenName,
            tokenSymbol,
            tokenCurrency,
            tokenDecimals,
            newMasterMinter,
            newPauser,
            newBlacklister,
            newOwner
        )
    {}

    // The authority refuses who is blocked; the functions in which the token does so as well ask about their caller.
    function requireNotBlacklisted(address) internal view override {}

    function balanceOf(address account) public view override returns (uint256) {
        return account.balance / SCALE;
    }

    function transferFrom(address from, address to, uint256 value) external override whenNotPaused returns (bool) {
        requireCallerNotBlacklisted();
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "ERC20: transfer amount exceeds allowance");
        allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function mint(address to, uint256 amount) external override onlyMinter returns (bool) {
        requireCallerNotBlacklisted();
        requireUnpaused();
        require(to != address(0), "FiatToken: mint to the zero address");
        require(amount > 0, "FiatToken: mint amount not greater than 0");
        uint256 allowed = minterAllowance[msg.sender];
        require(amount <= allowed, "FiatToken: mint amount exceeds minterAllowance");
        minterAllowance[msg.sender] = allowed - amount;
        totalSupply += amount;
        require(AUTHORITY.mint(to, scaled(amount)), "Native mint failed");
        emit Mint(msg.sender, to, amount);
        emit Transfer(address(0), to, amount);
        return true;
    }

    function burn(uint256 amount) external override onlyMinter whenNotPaused {
        require(amount > 0, "FiatToken: burn amount not greater than 0");
        require(msg.sender.balance >= scaled(amount), "FiatToken: burn amount exceeds balance");
        totalSupply -= amount;
        require(AUTHORITY.burn(msg.sender, scaled(amount)), "Native burn failed");
        emit Burn(msg.sender, amount);
        emit Transfer(msg.sender, address(0), amount);
    }

    function move(address from, address to, uint256 value) internal override {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        require(scaled(value) <= from.balance, "ERC20: transfer amount exceeds balance");
        require(AUTHORITY.transfer(from, to, scaled(value)), "Native transfer failed");
        emit Transfer(from, to, value);
    }

    function isBlacklisted(address account) public view override returns (bool) {
        return CONTROL.isBlocklisted(account);
    }

    function setBlacklisted(address account) internal override {
        require(account != owner, "NativeFiatTokenV2_2: cannot blacklist owner");
        CONTROL.blocklist(account);
    }

    function unBlacklist(address account) external override {
        requireBlacklister();
        CONTROL.unBlocklist(account);
        emit UnBlacklisted(account);
    }

    function requireCallerNotBlacklisted() private view {
        require(!isBlacklisted(msg.sender), "Blacklistable: account is blacklisted");
    }

    function requireUnpaused() private view whenNotPaused {}

    function scaled(uint256 amount) private pure returns (uint256 wei_) {
        unchecked {
            wei_ = amount * SCALE;
        }
        require(wei_ / SCALE == amount, "SafeMath: multiplication overflow");
    }
}
